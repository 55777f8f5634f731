#include "recovery/counted_pipeline.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#include <etlantic/runtime/batch_log_content.hpp>
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_listing.hpp>
#include <etlantic/runtime/checkpoint_report.hpp>
#include <etlantic/runtime/checkpoint_rewind.hpp>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

/// A checkpoint behind a run with low latency: everything about its batches stands in one log.
struct logged_checkpoint {
  temporary_directory kept;
  hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
  checkpoint_layout layout{pipeline.checkpoint};
  std::string log = layout.log(0);

  explicit logged_checkpoint(int retained_batches = 1) {
    pipeline.retained_batches = retained_batches;
    REQUIRE(drain(pipeline).ok());
  }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const fs::directory_entry& each : fs::directory_iterator(layout.batches()))
      names.insert(each.path().filename().string());
    return names;
  }
  failure refusal() const {
    const result<void> refused = pipeline.run();
    REQUIRE_FALSE(refused.ok());
    CHECK_FALSE(refused.error().help.empty());
    return refused.error();
  }
};

std::vector<checkpoint_finding> findings_in(const std::string& directory) {
  result<checkpoint_report> found = read_checkpoint(directory, checkpoint_reading::whole);
  REQUIRE(found.ok());
  return std::move(found->findings);
}

std::vector<checkpoint_fault> faults_in(const std::string& directory) {
  std::vector<checkpoint_fault> faults;
  for (const checkpoint_finding& each : findings_in(directory)) faults.push_back(each.fault);
  return faults;
}

using faults = std::vector<checkpoint_fault>;

checkpoint_listing list(const checkpoint_layout& layout) {
  result<checkpoint_listing> listing = list_checkpoint(layout);
  REQUIRE(listing.ok());
  return std::move(*listing);
}

/// What has to be the same after any order of crashes and restarts.
void check_outcome(const hand_made_pipeline& pipeline) {
  REQUIRE(pipeline.curated->rows == counted_windows);
  REQUIRE(pipeline.late_rows->rows == counted_late_rows);
  REQUIRE(findings_in(pipeline.checkpoint).empty());
}

}  // namespace

TEST_CASE("with low latency plans and commits stand in a log, in the order in which they were written") {
  const logged_checkpoint all;
  CHECK(all.files() == std::set<std::string>{"00000000000000000000.log"});
  const checkpoint_listing listing = list(all.layout);
  REQUIRE(listing.plans.size() >= 5);
  CHECK(listing.plans == listing.commits);
  std::string expected = batch_log_head(0);
  for (const std::int64_t batch : listing.plans)
    expected += listing.logged_plans.at(batch).bytes + listing.logged_commits.at(batch).bytes;
  CHECK(contents(all.log) == expected);
  CHECK(listing.logged_plans.at(0).bytes.starts_with("{\"etlantic\":\"plan\",\"version\":1}\n{\"batch\":0,"));
  check_outcome(all.pipeline);
}

TEST_CASE(
    "a log that is cut anywhere is gone on with, or refused because of what lies behind it, and nothing doubles") {
  const std::size_t whole = contents(logged_checkpoint().log).size();
  int went_on = 0, refused = 0;
  for (std::size_t size = batch_log_head(0).size(); size < whole; size += 11) {
    const logged_checkpoint cut(100);  // else the snapshot that the commit before the last one needs is gone
    fs::resize_file(cut.log, size);
    // Zeros are what some file systems leave of bytes that were not written yet.
    if (size % 2 == 0) fs::resize_file(cut.log, size + 100);
    INFO("cut at " << size << " of " << whole);
    const result<void> restarted = size % 3 == 0 ? drain(cut.pipeline) : cut.pipeline.run();
    if (restarted) {
      ++went_on;
      check_outcome(cut.pipeline);
    } else {
      ++refused;
      // A target has more than the checkpoint knows of, or a snapshot is of a later batch.
      CHECK((restarted.error().code == "PMSTREAM475" || restarted.error().code == "PMSTREAM462"));
    }
  }
  CHECK(went_on > 10);
  CHECK(refused > 10);
}

TEST_CASE("a byte that changed in a log is found, wherever it is, and nothing is written") {
  const logged_checkpoint damaged;
  const std::string whole = contents(damaged.log);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string wrong = whole;
    wrong[at] = static_cast<char>(wrong[at] ^ (1 << at % 8));
    write(damaged.log, wrong);
    INFO("byte " << at << " of " << whole.size());
    const failure refused = damaged.refusal();
    REQUIRE(refused.kind == failure_class::checkpoint);
    REQUIRE((refused.code == "PMSTREAM461" || refused.code == "PMSTREAM463" || refused.code == "PMSTREAM464"));
    REQUIRE(refused.where == damaged.log);
    REQUIRE(contents(damaged.log) == wrong);
    const std::vector<checkpoint_finding> findings = findings_in(damaged.pipeline.checkpoint);
    REQUIRE(findings.size() == 1);
    REQUIRE(findings.front().what.message == refused.message);
  }
  write(damaged.log, whole);
  CHECK(damaged.pipeline.run().ok());
}

TEST_CASE("a damaged record in a log is told by its place in the file") {
  const logged_checkpoint damaged;
  std::string wrong = contents(damaged.log);
  const std::size_t commit = wrong.find("{\"etlantic\":\"commit\"");
  wrong[wrong.find("\"watermark\"", commit) + 1] = 'W';
  write(damaged.log, wrong);
  CHECK(damaged.refusal().message.starts_with("checkpoint file '" + damaged.log + "' is damaged at byte " +
                                              std::to_string(commit) + ": its contents have the checksum "));
  CHECK(faults_in(damaged.pipeline.checkpoint) == faults{checkpoint_fault::corrupt});
}

TEST_CASE("what no crash leaves at the end of a log is refused") {
  const logged_checkpoint damaged;
  const std::string whole = contents(damaged.log);
  const std::size_t last = whole.rfind("{\"etlantic\":");
  std::string hole = whole;
  hole.replace(last + 40, 10, 10, '\0');
  for (const std::string& bytes :
       {whole + "hello\n", whole + "x", hole, whole + whole.substr(0, batch_log_head(0).size())}) {
    write(damaged.log, bytes);
    CHECK(damaged.refusal().where == damaged.log);
    CHECK(faults_in(damaged.pipeline.checkpoint).size() == 1);
  }
  write(damaged.log, whole + std::string(300, '\0'));
  CHECK(damaged.pipeline.run().ok());
}

TEST_CASE(
    "each run has a log of its own, and one that is missing, cut, changed places or of a newer program is named") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = counted_pipeline_to_batch_2(kept / "checkpoint");
  hand_made_pipeline all = pipeline;
  all.retained_batches = 100;
  REQUIRE(drain(all).ok());
  add_counted_rest(all);
  REQUIRE(drain(all).ok());
  all.input->add({200});
  REQUIRE(drain(all).ok());
  const checkpoint_layout layout{all.checkpoint};
  const std::string logs[] = {layout.log(0), layout.log(1), layout.log(2)};
  const std::string first = contents(logs[0]), second_log = contents(logs[1]), third = contents(logs[2]);
  REQUIRE(faults_in(all.checkpoint).empty());

  const auto check = [&](const std::string& code, checkpoint_fault fault, const std::string& where) {
    const result<void> refused = all.run();
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == code);
    CHECK(refused.error().where == where);
    const std::vector<checkpoint_finding> findings = findings_in(all.checkpoint);
    REQUIRE_FALSE(findings.empty());
    CHECK(findings.front().fault == fault);
    CHECK(findings.front().what.where == where);
    for (std::size_t i = 0; i < 3; ++i) write(logs[i], i == 0 ? first : i == 1 ? second_log : third);
  };
  fs::remove(logs[1]);
  check("PMSTREAM462", checkpoint_fault::missing, logs[1]);
  fs::remove(logs[0]);
  check("PMSTREAM462", checkpoint_fault::missing, layout.commit(0));
  write(logs[0], first.substr(0, first.size() - 5));
  check("PMSTREAM461", checkpoint_fault::truncated, logs[0]);
  write(logs[1], "");
  check("PMSTREAM461", checkpoint_fault::truncated, logs[1]);
  write(logs[1], third);
  check("PMSTREAM463", checkpoint_fault::foreign, logs[1]);
  record_writer newer("batch_log", 2);
  newer.line().put("log", 1);
  write(logs[1], std::move(newer).close());
  check("PMSTREAM464", checkpoint_fault::newer_version, logs[1]);
  std::string other = second_log;
  const std::size_t batch = other.find("\"query\":\"") + 9;
  other[batch] = other[batch] == '0' ? '1' : '0';
  write(logs[1], other);
  check("PMSTREAM461", checkpoint_fault::corrupt, logs[1]);
  CHECK(all.run().ok());
}

TEST_CASE("RC: with low latency a write that fails once, at any point, ends the query, and a restart loses nothing") {
  int points = 0;
  for (int point = -1; point < points; ++point) {  // the first time only counts
    const temporary_directory kept;
    const hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
    {
      crash_point once(point, point % 2 == 0 ? EIO : ENOSPC);
      once.passes = true;
      const result<void> outcome = drain(pipeline, &once);
      if (point < 0) {
        REQUIRE(outcome.ok());
        points = once.count();
      }
    }
    const result<void> restarted = point % 3 == 0 ? pipeline.run() : drain(pipeline);
    INFO("point " << point << ": " << (restarted ? "" : restarted.error().message));
    REQUIRE(restarted.ok());
    check_outcome(pipeline);
  }
  CHECK(points > 60);
}

TEST_CASE("triggers may change between runs: files and logs make up one checkpoint, and old ones go") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = counted_pipeline_to_batch_2(kept / "checkpoint");
  const checkpoint_layout layout{pipeline.checkpoint};
  REQUIRE(pipeline.run().ok());
  pipeline.input->add({12, 5, 44});
  REQUIRE(drain(pipeline).ok());
  CHECK(list(layout).logs.size() == 1);
  pipeline.input->add({70});
  REQUIRE(pipeline.run().ok());
  check_outcome(pipeline);
  for (int at = 100; at < 105; ++at) {
    pipeline.input->add({static_cast<double>(at)});
    REQUIRE((at % 2 == 0 ? drain(pipeline) : pipeline.run()).ok());
    CHECK(findings_in(pipeline.checkpoint).empty());
    CHECK(list(layout).plans.size() <= 6);
    CHECK(list(layout).logs.size() <= 2);
  }
}

TEST_CASE("a rewind takes records out of their logs, and ends well wherever it is interrupted") {
  int points = 0;
  for (int point = -1; point < points; ++point) {  // the first time only counts
    const temporary_directory kept;
    hand_made_pipeline pipeline = counted_pipeline_to_batch_2(kept / "checkpoint");
    pipeline.retained_batches = 10;
    REQUIRE(drain(pipeline).ok());
    add_counted_rest(pipeline);
    REQUIRE(drain(pipeline).ok());
    const checkpoint_layout layout{pipeline.checkpoint};
    REQUIRE(list(layout).logs.size() == 2);
    const std::int64_t newest = list(layout).newest_commit();
    {
      crash_point crash(point);
      const result<rewind_record> rewound = rewind_checkpoint(pipeline.checkpoint, 2);
      if (point < 0) {
        REQUIRE(rewound.ok());
        points = crash.count();
        CHECK(points > 20);
      }
    }
    INFO("point " << point);
    const result<checkpoint_report> left = read_checkpoint(pipeline.checkpoint, checkpoint_reading::whole);
    REQUIRE(left.ok());
    if (!left->rewind || !left->rewind->is_done) REQUIRE(rewind_checkpoint(pipeline.checkpoint, 2).ok());
    CHECK(findings_in(pipeline.checkpoint).empty());
    const checkpoint_listing listing = list(layout);
    CHECK(listing.logs.empty());
    CHECK(listing.newest_commit() == 2);
    CHECK(*listing.plans.rbegin() == newest);
    pipeline.input->reads.clear();
    REQUIRE((point % 2 == 0 ? pipeline.run() : drain(pipeline)).ok());
    CHECK(pipeline.input->reads.front() == split_range{"memory", 9, 12});
    check_outcome(pipeline);
  }
}
