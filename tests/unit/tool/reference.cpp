#include <etlantic/tool/reference.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/catch.hpp"

using namespace etlantic;

namespace {

struct fresh_folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("etlantic_reference_" + std::to_string(::getpid()));
  fresh_folder() { std::filesystem::create_directories(path); }
  ~fresh_folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("a reference stands for an environment variable or for the content of a file") {
  const fresh_folder folder;
  std::ofstream(folder.path / "secret") << "correct horse\n";
  ::setenv("ETLANTIC_TEST_SECRET", "battery staple", 1);
  CHECK(resolve_reference("plain").value() == "plain");
  CHECK(resolve_reference("env:ETLANTIC_TEST_SECRET").value() == "battery staple");
  CHECK(resolve_reference("file:" + (folder.path / "secret").string()).value() == "correct horse");
  ::unsetenv("ETLANTIC_TEST_SECRET");
}

TEST_CASE("a reference that leads nowhere says why") {
  const fresh_folder folder;
  std::ofstream(folder.path / "empty") << "\n";
  const auto why = [](const std::string& value) {
    const auto resolved = resolve_reference(value);
    REQUIRE_FALSE(resolved.ok());
    CHECK(resolved.error().code == "PMCFG350");
    return resolved.error().message;
  };
  CHECK(why("env:ETLANTIC_TEST_NOT_SET") == "this environment variable is not set");
  CHECK(why("env:") == "this environment variable is not set");
  CHECK(why("file:") == "file: must be followed by the path of a file that holds the value");
  CHECK(why("file:///etc/passwd") == "file: must be followed by the path of a file that holds the value");
  CHECK(why("file:" + (folder.path / "none").string()) ==
        "the file of this reference cannot be opened: No such file or directory");
  CHECK(why("file:" + (folder.path / "empty").string()) == "the file of this reference is empty");
  CHECK(why("file:" + folder.path.string()) == "the file of this reference cannot be read");
}

TEST_CASE("what resolves is not shown, what does not is named with its place") {
  ::setenv("ETLANTIC_TEST_SECRET", "battery staple", 1);
  const profile_reading reading = parse_profile(
      "assets:\n"
      "  a: {connector: sqlite, path: 'env:ETLANTIC_TEST_SECRET', password: 'env:ETLANTIC_TEST_NOT_SET'}\n",
      "p.yaml");
  report into;
  const profile resolved = resolve_references(reading, into);
  ::unsetenv("ETLANTIC_TEST_SECRET");
  CHECK(resolved.assets.at("a").options.at("path") == "battery staple");
  CHECK(reading.settings.assets.at("a").options.at("path") == "env:ETLANTIC_TEST_SECRET");
  CHECK(to_text(into) ==
        "p.yaml:2:60: error PMCFG350: this environment variable is not set (env:ETLANTIC_TEST_NOT_SET)\n"
        "  where: assets.a.password\n"
        "  help: set it before the start: export ETLANTIC_TEST_NOT_SET=...\n"
        "1 error, 0 warnings\n");
}

TEST_CASE("secrets are not printed") {
  CHECK(printable_option("password", "hunter2") == "***");
  CHECK(printable_option("API_Token", "hunter2") == "***");
  CHECK(printable_option("password", "env:DB_PASSWORD") == "env:DB_PASSWORD");
  CHECK(printable_option("url", "postgresql://me:hunter2@host/db") == "postgresql://***@host/db");
  CHECK(printable_option("path", "orders.db") == "orders.db");
}
