#include "recovery/counted_pipeline.hpp"
#include "support/catch.hpp"
#include "support/watched_query.hpp"

#include <etlantic/runtime/checkpoint_listing.hpp>

#include <cerrno>
#include <cstddef>
#include <utility>
#include <vector>

using namespace etlantic;
using namespace etlantic::test;

namespace {

struct outcome {
  table_rows curated;
  table_rows late;
  friend bool operator==(const outcome&, const outcome&) = default;
};

outcome outcome_of(const hand_made_pipeline& pipeline) { return {pipeline.curated->rows, pipeline.late_rows->rows}; }

outcome uninterrupted() {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
  REQUIRE(pipeline.run().ok());
  return outcome_of(pipeline);
}

int number_of_points() {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
  crash_point counting;
  REQUIRE(pipeline.run(&counting).ok());
  return counting.count();
}

}  // namespace

TEST_CASE("the run without a crash gives what a count by hand gives") {
  const outcome actual = uninterrupted();
  CHECK(actual.curated == counted_windows);
  CHECK(actual.late == counted_late_rows);
}

TEST_CASE("RC: a crash at any point, followed by a restart, gives what an uninterrupted run gives") {
  const outcome expected = uninterrupted();
  const int points = number_of_points();
  REQUIRE(points > 100);
  for (const int error : {EIO, ENOSPC}) {
    for (int point = 0; point < points; ++point) {
      const temporary_directory kept;
      const hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
      {
        crash_point crash(point, error);
        (void)pipeline.run(&crash);
        REQUIRE(crash.struck());
      }
      const result<void> restarted = pipeline.run();
      INFO("point " << point << ": " << (restarted ? "" : restarted.error().message));
      REQUIRE(restarted.ok());
      REQUIRE(outcome_of(pipeline) == expected);
    }
  }
}

TEST_CASE("RC: with low latency, where commit records wait for the next plan, a crash at any point doubles nothing") {
  const outcome expected = uninterrupted();
  int points = 0;
  for (int point = -1; point < points; ++point) {  // the first time only counts
    const temporary_directory kept;
    hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
    if (point % 4 < 2) pipeline.snapshot_interval = duration{1};  // else one with every batch
    {
      crash_point crash(point);
      const result<void> outcome = drain(pipeline, &crash);
      if (point < 0) {
        REQUIRE(outcome.ok());
        points = crash.count();
        REQUIRE(points > 80);
      }
    }
    const result<void> restarted = point % 2 == 0 ? pipeline.run() : drain(pipeline);
    INFO("point " << point << ": " << (restarted ? "" : restarted.error().message));
    REQUIRE(restarted.ok());
    REQUIRE(outcome_of(pipeline) == expected);
  }
}

TEST_CASE("with low latency a commit record is written with the next plan, or in the first silence") {
  for (const trigger_kind trigger : {trigger_kind::low_latency, trigger_kind::continuous}) {
    const temporary_directory kept;
    hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
    pipeline.trigger = trigger;
    pipeline.no_data_batches = false;
    std::vector<std::pair<std::size_t, std::size_t>> seen;  // at each look for a batch: how many plans and commits
    const auto count = [&] {
      const result<checkpoint_listing> listing = list_checkpoint({pipeline.checkpoint});
      REQUIRE(listing.ok());
      return std::pair(listing->plans.size(), listing->commits.size());
    };
    pipeline.retained_batches = 10;
    pipeline.input->on_plan = [&] {
      if (seen.size() < 6) seen.push_back(count());
    };
    const auto log = std::make_shared<event_log>();
    query_environment environment = pipeline.environment();
    environment.listeners = {log};
    result<query> running = start_program(pipeline.lowered(), pipeline.settings(), {}, environment);
    REQUIRE(running.ok());
    log->await("idle");
    CHECK(count() == std::pair<std::size_t, std::size_t>(5, 5));
    REQUIRE(running->stop().ok());
    const std::size_t held = trigger == trigger_kind::low_latency ? 1 : 0;
    CHECK(seen == std::vector<std::pair<std::size_t, std::size_t>>{
                      {0, 0}, {1, 1 - held}, {2, 2 - held}, {3, 3 - held}, {4, 4 - held}, {5, 5 - held}});
  }
}

TEST_CASE("RC: a crash in the restart after a crash changes nothing either") {
  const outcome expected = uninterrupted();
  const int points = number_of_points();
  for (int first = 3; first < points; first += 17) {
    for (int second_point = 0; second_point < 60; second_point += 3) {
      const temporary_directory kept;
      const hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
      for (const int point : {first, second_point}) {
        crash_point crash(point);
        (void)pipeline.run(&crash);
      }
      const result<void> restarted = pipeline.run();
      INFO("points " << first << ", " << second_point << ": " << (restarted ? "" : restarted.error().message));
      REQUIRE(restarted.ok());
      REQUIRE(outcome_of(pipeline) == expected);
    }
  }
}

TEST_CASE("a full disk is a failure of its own class that names the file and the cure") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
  REQUIRE(pipeline.run().ok());
  pipeline.input->add({90});

  class disk_that_fills : public file_fault_injector {
   public:
    file_fault before(file_operation operation, const std::string&) override {
      return operation == file_operation::write ? file_fault{ENOSPC, true} : file_fault{};
    }
  } disk;
  injected_file_faults = &disk;
  const result<void> full = pipeline.run();
  injected_file_faults = nullptr;
  REQUIRE_FALSE(full.ok());
  CHECK(full.error().kind == failure_class::resource_exhausted);
  CHECK(full.error().code == "PMSTREAM467");
  CHECK(full.error().where.find(kept / "checkpoint") == 0);
  CHECK(full.error().help.find("Free space") == 0);
  CHECK(pipeline.run().ok());
}
