#include <etlantic/tool/diagnostic_code.hpp>
#include <etlantic/tool/exit_code.hpp>
#include <etlantic/tool/profile_file.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/catch.hpp"
#include "support/data.hpp"

using namespace etlantic;

namespace {

std::string documentation(const char* name) {
  const auto path = test::tests_folder().parent_path() / "docs" / name;
  std::ifstream file(path);
  INFO(path.string());
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("the full example of docs/profile.md is a profile without mistakes") {
  const std::string page = documentation("profile.md");
  const std::size_t begin = page.find("```yaml\n") + 8;
  const profile_reading reading = parse_profile(page.substr(begin, page.find("```", begin) - begin), "local.yaml");
  CHECK(reading.found.found.empty());
  CHECK(reading.settings.assets.size() == 4);
  CHECK(reading.settings.limits.max_files == 100);
}

TEST_CASE("docs/profile.md explains every diagnostic") {
  const std::string page = documentation("profile.md");
  for (const diagnostic_code& each : diagnostic_codes)
    CHECK_THAT(page, Catch::Contains("| " + std::string(each.code) + " | " + std::string(each.meaning) + " |\n"));
}

TEST_CASE("docs/exit-codes.md explains every exit code") {
  const std::string page = documentation("exit-codes.md");
  for (std::size_t i = 0; i < std::size(exit_code_meanings); ++i)
    CHECK_THAT(page, Catch::Contains("| " + std::to_string(i) + " | " + std::string(exit_code_meanings[i])));
}
