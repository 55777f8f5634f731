#include "support/catch.hpp"

#include <etlantic/connect/file/source.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace etlantic;
namespace fs = std::filesystem;

namespace {

class folder {
 public:
  folder() {
    std::string name = (fs::temp_directory_path() / "etlantic-spelling-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root = fs::canonical(name);
    fs::create_directory(root / "data");
    std::ofstream(root / "data" / "a.json") << "{}\n";
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { fs::remove_all(root); }

  fs::path root;
};

std::vector<split_range> planned(const fs::path& path, const std::vector<split_range>& read = {}) {
  const auto from = make_file_source({.path = path.string()});
  REQUIRE(from->restore(read).ok());
  const auto ranges = from->plan(intake_limits{});
  REQUIRE(ranges.ok());
  return *ranges;
}

}  // namespace

TEST_CASE("a restart that spells the path otherwise reads nothing twice") {
  const folder in;
  fs::create_directory_symlink(in.root / "data", in.root / "link");
  const fs::path data = in.root / "data";
  const auto read = planned(data);
  REQUIRE(read.size() == 1);
  CHECK(read[0].split == (data / "a.json").string());
  for (const fs::path& other :
       {data / "", data / ".", in.root / "." / "data", data / ".." / "data", in.root / "link", in.root / "link" / "",
        in.root / "link" / "a.json", data / "*.json", in.root / "link" / "*.json", in.root / "link" / ".." / "data",
        fs::relative(data), fs::relative(data) / "a.json", fs::relative(data) / "*.json"}) {
    INFO(other);
    CHECK(planned(other, read).empty());
  }
}

TEST_CASE("the name of a link to a file is kept") {
  const folder in;
  fs::create_symlink(in.root / "data" / "a.json", in.root / "newest.json");
  const auto read = planned(in.root / "." / "newest.json");
  REQUIRE(read.size() == 1);
  CHECK(read[0].split == (in.root / "newest.json").string());
}

TEST_CASE("a pattern in the name of a directory is one after its path is settled") {
  const folder in;
  const auto read = planned(in.root / "." / "da*" / "*.json");
  REQUIRE(read.size() == 1);
  CHECK(read[0].split == (in.root / "data" / "a.json").string());
}
