#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/watched_files.hpp"

#include <etlantic/runtime/batch_log.hpp>
#include <etlantic/runtime/batch_log_content.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/durable_file.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

struct log_folder {
  temporary_directory kept;
  checkpoint_layout layout{kept / "checkpoint"};

  log_folder() { fs::create_directories(layout.batches()); }
  std::vector<std::string> files() const { return *list_directory(layout.batches()); }
};

plan_record plan_of(std::int64_t batch) {
  plan_record made;
  made.query = "q";
  made.batch = batch;
  return made;
}
std::string plan(std::int64_t batch) { return to_record(plan_of(batch)); }
/// A plan of about `kilobytes`, most of it the names of splits.
std::string long_plan(std::int64_t batch, int kilobytes) {
  plan_record made = plan_of(batch);
  for (int i = 0; i < kilobytes; ++i)
    made.extracts.push_back({"events", {{std::string(960, 'x') + std::to_string(i), 0, 1}}});
  return to_record(made);
}

constexpr const char* log_0 = "00000000000000000000.log";
constexpr const char* log_1 = "00000000000000000001.log";

}  // namespace

TEST_CASE("a log comes to be with its first records, and takes one write and one sync for those that follow") {
  const log_folder folder;
  batch_log log(folder.layout);
  watched_files watching;
  REQUIRE(log.append(plan(0), 0).ok());
  CHECK(watching.seen ==
        std::vector<std::string>{"create 00000000000000000000.log.tmp", "write 00000000000000000000.log.tmp",
                                 "write 00000000000000000000.log.tmp", "sync 00000000000000000000.log.tmp",
                                 "rename 00000000000000000000.log", "sync directory batches",
                                 "create 00000000000000000000.log"});
  watching.seen.clear();
  REQUIRE(log.append(plan(1) + plan(2), 2).ok());
  CHECK(watching.seen == std::vector<std::string>{"write 00000000000000000000.log", "sync 00000000000000000000.log"});
  CHECK(contents(folder.layout.log(0)) == batch_log_head(0) + plan(0) + plan(1) + plan(2));
  const batch_log_content content = read_batch_log(folder.layout, 0, true);
  CHECK_FALSE(content.damage);
  CHECK(content.unfinished == 0);
  CHECK(content.newest_batch() == 2);
}

TEST_CASE("a log that has become long is followed by a next one, and goes when nothing in it is needed any more") {
  const log_folder folder;
  batch_log log(folder.layout);
  for (std::int64_t batch = 0; batch < 5; ++batch) REQUIRE(log.append(long_plan(batch, 300), batch).ok());
  REQUIRE(folder.files() == std::vector<std::string>{log_0, log_1});
  CHECK(read_batch_log(folder.layout, 0, false).newest_batch() == 3);
  CHECK(read_batch_log(folder.layout, 1, true).newest_batch() == 4);
  log.remove_before(3);
  CHECK(folder.files() == std::vector<std::string>{log_0, log_1});
  log.remove_before(4);
  CHECK(folder.files() == std::vector<std::string>{log_1});
  log.remove_before(100);  // the last one grows
  REQUIRE(log.append(plan(5), 5).ok());
  CHECK(read_batch_log(folder.layout, 1, true).newest_batch() == 5);
}

TEST_CASE("a later run goes on in a log of its own, and its number is that of no log before") {
  const log_folder folder;
  REQUIRE(batch_log(folder.layout).append(plan(0), 0).ok());
  const std::string whole = contents(folder.layout.log(0));
  write(folder.layout.log(0), whole + plan(1).substr(0, 50));
  batch_log later(folder.layout);
  later.add(0, 0, whole.size());
  REQUIRE(later.append(plan(1), 1).ok());
  CHECK(contents(folder.layout.log(0)) == whole);
  CHECK(contents(folder.layout.log(1)) == batch_log_head(1) + plan(1));

  batch_log last(folder.layout);
  last.add(0, 0, whole.size());
  last.add(1, 1, contents(folder.layout.log(1)).size());
  last.remove_before(2);
  CHECK(folder.files().empty());
  REQUIRE(last.append(plan(2), 2).ok());
  CHECK(folder.files() == std::vector<std::string>{"00000000000000000002.log"});
}

TEST_CASE("records that could not be written are not in the log, and what comes later goes into a next one") {
  for (const file_operation failing : {file_operation::write, file_operation::sync}) {
    const log_folder folder;
    batch_log log(folder.layout);
    watched_files watching;
    REQUIRE(log.append(plan(0), 0).ok());
    watching.failing = failing;
    const result<void> failed = log.append(plan(1), 1);
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().code == "PMSTREAM466");
    CHECK(failed.error().where == folder.layout.log(0));
    CHECK(contents(folder.layout.log(0)) == batch_log_head(0) + plan(0));
    watching.failing.reset();
    watching.seen.clear();
    REQUIRE(log.append(plan(1), 1).ok());
    // That the first log ends there is on the disk before the next one is begun.
    REQUIRE(watching.seen.size() > 3);
    CHECK(std::vector<std::string>(watching.seen.begin(), watching.seen.begin() + 3) ==
          std::vector<std::string>{"create 00000000000000000000.log", "truncate 00000000000000000000.log",
                                   "sync 00000000000000000000.log"});
    CHECK(contents(folder.layout.log(1)) == batch_log_head(1) + plan(1));
  }
}
