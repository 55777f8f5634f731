#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

std::vector<split_range> ranges(std::initializer_list<std::pair<std::int64_t, std::int64_t>> all) {
  std::vector<split_range> made;
  for (const auto& [begin, end] : all) made.push_back({"memory", begin, end});
  return made;
}

hand_made_pipeline with_three_rows(const temporary_directory& kept) {
  hand_made_pipeline pipeline{.checkpoint = kept / "checkpoint"};
  pipeline.input->add({1, 2, 3});
  return pipeline;
}

}  // namespace

TEST_CASE("RC-01: a crash after the sinks and before the commit record doubles nothing") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = with_three_rows(kept);
  pipeline.input->add({100});
  pipeline.trigger = trigger_kind::once;
  REQUIRE(pipeline.run().ok());
  REQUIRE(pipeline.run().ok());
  REQUIRE(pipeline.run().ok());
  const table_rows published = pipeline.curated->rows;
  const int commits = pipeline.curated->commits;
  REQUIRE(published == table_rows{{0, 10, 3}});
  REQUIRE(fs::remove(checkpoint_layout{pipeline.checkpoint}.commit(2)));

  std::vector<progress> seen;
  REQUIRE(pipeline.run(nullptr, [&](const progress& batch) { seen.push_back(batch); }).ok());
  CHECK(pipeline.curated->rows == published);
  CHECK(pipeline.curated->commits == commits);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].replayed);
  CHECK(seen[0].batch == 2);
}

TEST_CASE("RC-02: a replay reads the planned range and not everything that has arrived since") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = with_three_rows(kept);
  REQUIRE(pipeline.run().ok());  // batch 0 reads [0,3), batch 1 has no data
  pipeline.input->add({4, 5, 6});
  // The plan record of batch 2 is durable, and then the process dies: its commit and snapshot never came to be.
  pipeline.trigger = trigger_kind::once;
  REQUIRE(pipeline.run().ok());
  const checkpoint_layout layout{pipeline.checkpoint};
  REQUIRE(fs::remove(layout.commit(2)));
  REQUIRE(fs::remove(layout.snapshot(2)));
  for (const auto& table : {pipeline.curated, pipeline.late_rows, pipeline.quarantine}) table->take_back_to(1);
  pipeline.input->reads.clear();

  pipeline.input->batch_ends.clear();
  pipeline.input->rows.insert(pipeline.input->rows.end(), {7 * second, 8 * second, 9 * second, 95 * second});
  pipeline.trigger = trigger_kind::available_now;
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.input->reads == ranges({{3, 6}, {6, 10}}));
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 9}});
}

TEST_CASE("RC-07: a second process on a checkpoint is refused before it writes anything") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = with_three_rows(kept);
  fs::create_directories(pipeline.checkpoint);
  int to_child[2];
  int to_parent[2];
  REQUIRE(::pipe(to_child) == 0);
  REQUIRE(::pipe(to_parent) == 0);
  const pid_t other = ::fork();
  REQUIRE(other >= 0);
  char token = 0;
  if (other == 0) {
    const result<checkpoint_lock> held = checkpoint_lock::take(pipeline.checkpoint);
    token = held ? 'l' : 'f';
    const bool told = ::write(to_parent[1], &token, 1) == 1 && ::read(to_child[0], &token, 1) == 1;
    ::_exit(told ? 0 : 1);
  }
  REQUIRE(::read(to_parent[0], &token, 1) == 1);
  REQUIRE(token == 'l');

  const result<void> refused = pipeline.run();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::checkpoint);
  CHECK(refused.error().code == "PMSTREAM460");
  CHECK(refused.error().message ==
        "process " + std::to_string(other) + " works on checkpoint '" + pipeline.checkpoint + "'");
  CHECK(pipeline.curated->ledger.empty());
  CHECK(pipeline.input->reads.empty());
  CHECK(std::distance(fs::directory_iterator(pipeline.checkpoint), fs::directory_iterator()) == 1);  // the lock

  REQUIRE(::write(to_child[1], &token, 1) == 1);
  int status = 0;
  REQUIRE(::waitpid(other, &status, 0) == other);
  for (int end : {to_child[0], to_child[1], to_parent[0], to_parent[1]}) ::close(end);
  CHECK(pipeline.run().ok());  // the lock went with the process
}

TEST_CASE(
    "RC-07: a second query of the same process is refused too, and gets the checkpoint once the first has ended") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = with_three_rows(kept);
  pipeline.trigger = trigger_kind::continuous;
  result<query> first = pipeline.start();
  REQUIRE(first.ok());
  const result<query> refused = pipeline.start();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM460");
  REQUIRE(first->stop().ok());
  pipeline.trigger = trigger_kind::available_now;
  CHECK(pipeline.run().ok());  // while the handle of the first one is still there
}

TEST_CASE("RC-11: available-now stops at the end that it saw at the start") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.checkpoint = kept / "checkpoint", .max_rows = 4};
  pipeline.input->pause_after_batch = false;
  for (int row = 0; row < 15; ++row) pipeline.input->rows.push_back(row * second);
  pipeline.input->visible = 10;
  pipeline.input->on_plan = [&] { pipeline.input->visible = 15; };
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.input->reads == ranges({{0, 4}, {4, 8}, {8, 10}}));
  pipeline.input->reads.clear();
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.input->reads == ranges({{10, 14}, {14, 15}}));
}

TEST_CASE("RC-12: a half-written snapshot of the next batch is overwritten, not loaded") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = with_three_rows(kept);
  pipeline.input->add({4, 50});
  pipeline.trigger = trigger_kind::once;
  for (int batch = 0; batch < 3; ++batch) REQUIRE(pipeline.run().ok());
  const checkpoint_layout layout{pipeline.checkpoint};
  REQUIRE(fs::remove(layout.commit(2)));
  fs::resize_file(layout.snapshot(2), fs::file_size(layout.snapshot(2)) / 2);
  pipeline.curated->rows.clear();
  pipeline.curated->take_back_to(1);
  pipeline.trigger = trigger_kind::available_now;
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 4}});
  CHECK(fs::exists(layout.commit(2)));
}

TEST_CASE("RC-14: valid and invalid rows are two sinks, and a crash between them doubles neither") {
  for (const bool valid_first : {true, false}) {
    const temporary_directory kept;
    hand_made_pipeline pipeline{.checkpoint = kept / "checkpoint"};
    pipeline.input->lines = true;
    pipeline.input->text = "1\nbad\n2\n-3\n100";
    pipeline.input->rows.assign(1, 0);
    pipeline.input->batch_ends = {1};
    pipeline.trigger = trigger_kind::once;
    REQUIRE(pipeline.run().ok());
    REQUIRE(pipeline.quarantine->rows.size() == 2);
    const table_rows rejected = pipeline.quarantine->rows;

    // As if only one of the two had committed when the process died.
    REQUIRE(fs::remove(checkpoint_layout{pipeline.checkpoint}.commit(0)));
    if (valid_first) {
      pipeline.quarantine->rows.clear();
      pipeline.quarantine->ledger.clear();
    }
    pipeline.clock = {1'800'000'000 * second};  // later: the rows keep the time at which their batch was planned
    pipeline.trigger = trigger_kind::available_now;
    REQUIRE(pipeline.run().ok());
    CHECK(pipeline.quarantine->rows == rejected);
    CHECK(pipeline.quarantine->rows.back().back() == 1'700'000'000);
    CHECK(pipeline.curated->rows == table_rows{{0, 10, 2}});
  }
}

TEST_CASE("retention keeps as many batches behind the newest as the profile says, and a restart works from them") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.checkpoint = kept / "checkpoint", .retained_batches = 2};
  pipeline.input->pause_after_batch = false;
  for (int batch = 0; batch < 6; ++batch) pipeline.input->add({static_cast<double>(batch)});
  REQUIRE(pipeline.run().ok());  // batches 0 to 5 and 6 without data
  const checkpoint_layout layout{pipeline.checkpoint};
  for (std::int64_t batch = 0; batch <= 6; ++batch) {
    CHECK(fs::exists(layout.plan(batch)) == (batch >= 4));
    CHECK(fs::exists(layout.commit(batch)) == (batch >= 4));
    CHECK(fs::exists(layout.snapshot(batch)) == (batch >= 4));
  }
  pipeline.retained_batches = 5;  // what is gone is gone: that is no hole
  pipeline.input->add({50});
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 6}});
  REQUIRE(pipeline.run().ok());
}

TEST_CASE("the query id stays the same over restarts from one checkpoint") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = with_three_rows(kept);
  const std::string first = pipeline.start()->id();
  CHECK(first.size() == 32);
  CHECK(pipeline.start()->id() == first);
  pipeline.checkpoint = kept / "another";
  CHECK(pipeline.start()->id() != first);
}
