#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/checkpoint_report.hpp>
#include <etlantic/runtime/checkpoint_rewind.hpp>
#include <etlantic/tool/checkpoint_command.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

/// A checkpoint with batches 0 to 5 done and a snapshot of every one.
struct checkpoint_to_look_at {
  temporary_directory kept;
  hand_made_pipeline pipeline{.window = 10 * second, .delay = 5 * second, .checkpoint = kept / "checkpoint"};
  checkpoint_layout layout{pipeline.checkpoint};

  checkpoint_to_look_at() {
    pipeline.input->pause_after_batch = false;
    pipeline.input->add({1, 2, 12, 3});
    pipeline.input->add({25, 11});
    pipeline.input->add({4, 26, 31});
    pipeline.input->add({12, 5, 44});
    pipeline.input->add({70});
    REQUIRE(pipeline.run().ok());
    REQUIRE(fs::exists(layout.commit(5)));
  }
};

struct answer {
  exit_code code;
  std::string out;
  std::string error;
};

std::string text_of(std::FILE* file) {
  std::rewind(file);
  std::string text(1 << 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

answer call(const std::string& directory, command_line asked) {
  asked.which = command::checkpoint;
  console to;
  to.out = std::tmpfile();
  to.error = std::tmpfile();
  const exit_code code = run_checkpoint_command(directory, asked, to);
  return {code, text_of(to.out), text_of(to.error)};
}
answer call(const std::string& directory, const std::string& action) {
  command_line asked;
  asked.action = action;
  return call(directory, asked);
}
answer rewind(const std::string& directory, std::int64_t to, bool confirmed = true) {
  command_line asked;
  asked.action = "rewind";
  asked.to_batch = to;
  asked.confirmed = confirmed;
  return call(directory, asked);
}

std::vector<checkpoint_fault> faults_in(const std::string& directory) {
  const result<checkpoint_report> found = read_checkpoint(directory, checkpoint_reading::whole);
  REQUIRE(found.ok());
  std::vector<checkpoint_fault> faults;
  for (const checkpoint_finding& each : found->findings) {
    CHECK_FALSE(each.what.help.empty());
    faults.push_back(each.fault);
  }
  return faults;
}

using faults = std::vector<checkpoint_fault>;

}  // namespace

TEST_CASE("a whole checkpoint is found whole, and looking at it changes nothing") {
  const checkpoint_to_look_at all;
  CHECK(faults_in(all.pipeline.checkpoint).empty());
  const answer verified = call(all.pipeline.checkpoint, "verify");
  CHECK(verified.code == exit_code::ok);
  CHECK(verified.out.find("is whole: 6 committed batches, 6 snapshots") != std::string::npos);
  CHECK(call(all.pipeline.checkpoint, "inspect").code == exit_code::ok);
  CHECK(all.pipeline.run().ok());
}

TEST_CASE("verify tells apart what can be wrong with a file") {
  const checkpoint_to_look_at all;
  const std::string& directory = all.pipeline.checkpoint;
  const checkpoint_layout& layout = all.layout;
  for (const std::string& path :
       {layout.identity(), layout.plan(3), layout.commit(4), layout.snapshot(5), layout.snapshot(2)}) {
    INFO(path);
    const std::string whole = contents(path);
    std::string wrong = whole;
    wrong[whole.size() / 2] = static_cast<char>(wrong[whole.size() / 2] ^ 1);
    write(path, wrong);
    CHECK(faults_in(directory) == faults{checkpoint_fault::corrupt});
    write(path, whole.substr(0, whole.size() / 2));
    CHECK(faults_in(directory) == faults{checkpoint_fault::truncated});
    fs::remove(path);
    CHECK(faults_in(directory) == faults{checkpoint_fault::missing});
    record_writer newer(path.ends_with("n") && path.find("plan") != std::string::npos ? "plan"
                        : path.ends_with("commit")                                    ? "commit"
                        : path.ends_with("json")                                      ? "identity"
                                                                                      : "snapshot",
                        99);
    newer.line().put("something", "unknown");
    write(path, std::move(newer).close());
    CHECK(faults_in(directory) == faults{checkpoint_fault::newer_version});
    const answer told = call(directory, "verify");
    CHECK(told.code == exit_code::checkpoint);
    CHECK(told.out.find("newer version PMSTREAM464") == 0);
    write(path, whole);
  }
  write(layout.batches() + "/notes.txt", "hello");
  CHECK(faults_in(directory) == faults{checkpoint_fault::foreign});
  fs::remove(layout.batches() + "/notes.txt");
  CHECK(faults_in(directory).empty());
}

TEST_CASE("half a copy of a checkpoint is called that") {
  const checkpoint_to_look_at all;
  fs::remove_all(all.layout.states());
  faults found = faults_in(all.pipeline.checkpoint);
  CHECK(std::count(found.begin(), found.end(), checkpoint_fault::missing) == 6);
  CHECK(found.back() == checkpoint_fault::half_copied);
  fs::create_directory(all.layout.states());
  CHECK(faults_in(all.pipeline.checkpoint).back() == checkpoint_fault::half_copied);
}

TEST_CASE("what verify calls whole can be started, and what it does not is refused") {
  const checkpoint_to_look_at all;
  for (const std::string& path :
       {all.layout.plan(3), all.layout.commit(5), all.layout.commit(2), all.layout.snapshot(5)}) {
    const std::string whole = contents(path);
    for (const std::string& bytes : {whole.substr(0, whole.size() - 3), std::string(), whole + "x"}) {
      write(path, bytes);
      CHECK_FALSE(faults_in(all.pipeline.checkpoint).empty());
      CHECK_FALSE(all.pipeline.run().ok());
    }
    write(path, whole);
  }
  CHECK(all.pipeline.run().ok());
}

TEST_CASE("inspect tells whose checkpoint it is, who uses it, and what a restart does") {
  const checkpoint_to_look_at all;
  fs::remove(all.layout.commit(5));
  const answer got = call(all.pipeline.checkpoint, "inspect");
  CHECK(got.out.find("  pipeline      Counts 1\n") != std::string::npos);
  CHECK(got.out.find("  in use        no\n") != std::string::npos);
  CHECK(got.out.find("  batches       0 to 4 are kept") != std::string::npos);
  CHECK(got.out.find("  watermark     1970-01-01T00:01:05") != std::string::npos);  // 70 s less the delay
  CHECK(got.out.find("  planned       batch 5: runs again at the next start\n") != std::string::npos);
  CHECK(got.out.find("state of windows: ") != std::string::npos);

  const result<checkpoint_lock> held = checkpoint_lock::take(all.pipeline.checkpoint);
  command_line asked;
  asked.action = "inspect";
  asked.json = true;
  const answer json = call(all.pipeline.checkpoint, asked);
  CHECK(json.out.find("\"in_use_by\": \"process " + std::to_string(::getpid()) + "\"") != std::string::npos);
  CHECK(json.out.find("\"newest_batch\": 4") != std::string::npos);
  const answer refused = call(all.pipeline.checkpoint, "verify");
  CHECK(refused.code == exit_code::checkpoint);
  CHECK(refused.error.find("PMSTREAM460") != std::string::npos);
}

TEST_CASE("a folder that is not there is no checkpoint, and none is made") {
  const temporary_directory kept;
  for (const char* action : {"inspect", "verify", "export"}) {
    const answer got = call(kept / "nothing", action);
    CHECK(got.code == exit_code::checkpoint);
    CHECK(got.error.find("cannot read '" + (kept / "nothing")) != std::string::npos);
  }
  CHECK(rewind(kept / "nothing", 0).code == exit_code::checkpoint);
  CHECK_FALSE(fs::exists(kept / "nothing"));
}

TEST_CASE("export gives every record as a line of JSON") {
  const checkpoint_to_look_at all;
  const answer got = call(all.pipeline.checkpoint, "export");
  CHECK(got.code == exit_code::ok);
  CHECK(std::count(got.out.begin(), got.out.end(), '\n') == 1 + 6 + 6 + 6);
  CHECK(got.out.find(R"("counts":{"events":{"read":4,"rejected":0,"filtered":0,"emitted":4})") != std::string::npos);
  CHECK(got.out.find(R"("extracts":{"events":[{"split":"memory","begin":6,"end":9}]})") != std::string::npos);
}

TEST_CASE("a rewind is only explained until it is confirmed, and refused while somebody uses the checkpoint") {
  const checkpoint_to_look_at all;
  const answer told = rewind(all.pipeline.checkpoint, 2, false);
  CHECK(told.code == exit_code::usage);
  CHECK(told.out.find("restores the snapshot of batch 2, and runs batches 3 to 5 again") != std::string::npos);
  CHECK(told.error.find("--confirm") != std::string::npos);
  CHECK(fs::exists(all.layout.commit(5)));
  CHECK(rewind(all.pipeline.checkpoint, 5).error.find("batch 5 is not before the newest one") != std::string::npos);
  CHECK(rewind(all.pipeline.checkpoint, 17).code == exit_code::checkpoint);
  const result<checkpoint_lock> held = checkpoint_lock::take(all.pipeline.checkpoint);
  CHECK(rewind(all.pipeline.checkpoint, 2).error.find("PMSTREAM460") != std::string::npos);
  CHECK(fs::exists(all.layout.commit(5)));
}

TEST_CASE("after a rewind the batches run again as they were planned, and tables that have them skip them") {
  const checkpoint_to_look_at all;
  const table_rows curated = all.pipeline.curated->rows;
  const table_rows late = all.pipeline.late_rows->rows;
  const int commits = all.pipeline.curated->commits;
  CHECK(rewind(all.pipeline.checkpoint, 2).code == exit_code::ok);
  CHECK(faults_in(all.pipeline.checkpoint).empty());
  all.pipeline.input->reads.clear();
  all.pipeline.input->add({100});
  std::vector<progress> told;
  REQUIRE(all.pipeline.run(nullptr, [&](const progress& batch) { told.push_back(batch); }).ok());
  REQUIRE(told.size() >= 4);
  for (std::int64_t batch = 3; batch <= 5; ++batch) {
    CHECK(told[static_cast<std::size_t>(batch - 3)].batch == batch);
    CHECK(told[static_cast<std::size_t>(batch - 3)].replayed);
  }
  CHECK_FALSE(told[3].replayed);
  CHECK(all.pipeline.input->reads ==
        std::vector<split_range>{{"memory", 9, 12}, {"memory", 12, 13}, {"memory", 13, 14}});
  table_rows expected = curated;
  expected.push_back({70, 80, 1});
  CHECK(all.pipeline.curated->rows == expected);
  CHECK(all.pipeline.curated->commits > commits);
  CHECK(all.pipeline.late_rows->rows == late);
  CHECK_FALSE(fs::exists(all.layout.rewind()));
  CHECK(faults_in(all.pipeline.checkpoint).empty());
}

TEST_CASE("a target that was restored from an older copy gets what it lacks after a rewind to that copy") {
  const checkpoint_to_look_at all;
  const table_rows curated = all.pipeline.curated->rows;
  // As the copy after batch 2 had it: [0,10) and [10,20) had left by then.
  all.pipeline.curated->rows.resize(2);
  all.pipeline.curated->take_back_to(2);
  CHECK(all.pipeline.run().error().code == "PMSTREAM475");
  CHECK(rewind(all.pipeline.checkpoint, 2).code == exit_code::ok);
  REQUIRE(all.pipeline.run().ok());
  CHECK(all.pipeline.curated->rows == curated);
}

TEST_CASE("a rewind that is interrupted anywhere is completed when it is repeated") {
  int points = 0;
  {
    const checkpoint_to_look_at all;
    crash_point counting;
    REQUIRE(rewind_checkpoint(all.pipeline.checkpoint, 2).ok());
    points = counting.count();
  }
  REQUIRE(points > 10);
  for (int point = 0; point < points; ++point) {
    const checkpoint_to_look_at all;
    const table_rows curated = all.pipeline.curated->rows;
    {
      crash_point crash(point);
      CHECK_FALSE(rewind_checkpoint(all.pipeline.checkpoint, 2).ok());
    }
    INFO("point " << point);
    const result<void> started = all.pipeline.run();
    if (!started) {
      CHECK(started.error().code == "PMSTREAM485");
      REQUIRE(rewind_checkpoint(all.pipeline.checkpoint, 2).ok());
    }
    REQUIRE(all.pipeline.run().ok());
    REQUIRE(all.pipeline.curated->rows == curated);
  }
}

TEST_CASE("a crash while rewound batches run again changes nothing") {
  int points = 0;
  {
    const checkpoint_to_look_at all;
    REQUIRE(rewind_checkpoint(all.pipeline.checkpoint, 1).ok());
    crash_point counting;
    REQUIRE(all.pipeline.run(&counting).ok());
    points = counting.count();
  }
  for (int point = 0; point < points; ++point) {
    const checkpoint_to_look_at all;
    const table_rows curated = all.pipeline.curated->rows;
    REQUIRE(rewind_checkpoint(all.pipeline.checkpoint, 1).ok());
    {
      crash_point crash(point);
      (void)all.pipeline.run(&crash);
    }
    const result<void> restarted = all.pipeline.run();
    INFO("point " << point << ": " << (restarted ? "" : restarted.error().message));
    REQUIRE(restarted.ok());
    REQUIRE(all.pipeline.curated->rows == curated);
    REQUIRE_FALSE(fs::exists(all.layout.rewind()));
  }
}
