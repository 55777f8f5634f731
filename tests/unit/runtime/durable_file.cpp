#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/watched_files.hpp"

#include <etlantic/runtime/durable_file.hpp>

using namespace etlantic;
using etlantic::test::temporary_directory;
using etlantic::test::watched_files;
namespace fs = std::filesystem;

TEST_CASE("a durable write syncs the file before it gets its name and the directory after") {
  const temporary_directory kept;
  fs::create_directory(kept / "folder");
  const watched_files watching;
  REQUIRE(write_durably(kept / "folder/file", "contents").ok());
  CHECK(watching.seen == std::vector<std::string>{"create file.tmp", "write file.tmp", "sync file.tmp", "rename file",
                                                  "sync directory folder"});
  CHECK(*read_file(kept / "folder/file") == "contents");
}

TEST_CASE("several files are all synced before the first gets its name, and get their names in order") {
  const temporary_directory kept;
  fs::create_directory(kept / "folder");
  const named_contents files[] = {{kept / "folder/first", "1"}, {kept / "folder/second", "2"}};
  {
    const watched_files watching;
    REQUIRE(write_in_order_durably(files).ok());
    CHECK(watching.seen == std::vector<std::string>{"create first.tmp", "write first.tmp", "create second.tmp",
                                                    "write second.tmp", "sync first.tmp", "sync second.tmp",
                                                    "rename first", "rename second", "sync directory folder"});
  }
  CHECK(*read_file(files[0].path) == "1");
  CHECK(*read_file(files[1].path) == "2");
  const watched_files fault(file_operation::sync);
  CHECK_FALSE(write_in_order_durably(files).ok());
  CHECK(*list_directory(kept / "folder") == std::vector<std::string>{"first", "second"});
}

TEST_CASE("a durable write that fails leaves the old contents and no temporary file") {
  for (const file_operation failing :
       {file_operation::create, file_operation::write, file_operation::sync, file_operation::rename}) {
    const temporary_directory kept;
    const std::string path = kept / "file";
    REQUIRE(write_durably(path, "old").ok());
    {
      const watched_files fault(failing);
      const result<void> failed = write_durably(path, "new contents");
      REQUIRE_FALSE(failed.ok());
      CHECK(failed.error().code == "PMSTREAM466");
      CHECK(failed.error().message.find(path) != std::string::npos);
    }
    CHECK(*read_file(path) == "old");
    CHECK(*list_directory(kept.path()) == std::vector<std::string>{"file"});
  }
}

TEST_CASE("directories are made with those above them, and made twice without harm") {
  const temporary_directory kept;
  CHECK(make_directories_durably(kept / "a/b/c").ok());
  CHECK(make_directories_durably(kept / "a/b/c").ok());
  CHECK(fs::is_directory(kept / "a/b/c"));
}

TEST_CASE("a file that is missing and a full disk have codes of their own") {
  CHECK(read_file("/nowhere/file").error().code == "PMSTREAM462");
  CHECK(file_failure(file_operation::write, "f", ENOSPC).code == "PMSTREAM467");
  CHECK(file_failure(file_operation::write, "f", ENOSPC).kind == failure_class::resource_exhausted);
  CHECK(file_failure(file_operation::create, "f", EROFS).help.find("read-only") != std::string::npos);
}
