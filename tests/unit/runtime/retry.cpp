#include "recovery/counted_pipeline.hpp"
#include "support/catch.hpp"
#include "support/watched_query.hpp"

#include <etlantic/runtime/checkpoint_lock.hpp>

using namespace etlantic;
using namespace etlantic::test;
using namespace std::chrono_literals;

namespace {

/// Two batches with data and one without: [0, 10) closes in the second.
watched_query two_batches(const temporary_directory& kept) {
  hand_made_pipeline pipeline{.checkpoint = kept / "checkpoint"};
  pipeline.input->pause_after_batch = false;
  pipeline.input->add({1, 2});
  pipeline.input->add({50});
  return watched_query(std::move(pipeline));
}

}  // namespace

TEST_CASE("a retry helps where the failure may pass by itself") {
  using enum failure_class;
  for (const failure_class kind : {connectivity, resource_exhausted}) CHECK(retry_can_help(kind));
  for (const failure_class kind : {authentication, source_data, contract, state, checkpoint, sink_conflict,
                                   sink_rejected, configuration, internal})
    CHECK_FALSE(retry_can_help(kind));
}

TEST_CASE("the backoff doubles up to the longest, and chance takes up to half of it off") {
  const retry_settings settings{.attempts = 9, .backoff = 1s, .longest_backoff = 10s};
  std::vector<duration> least, most;
  for (int attempt = 1; attempt <= 6; ++attempt) {
    least.push_back(backoff_before(attempt, settings, 0));
    most.push_back(backoff_before(attempt, settings, 1));
  }
  CHECK(most == std::vector<duration>{1s, 2s, 4s, 8s, 10s, 10s});
  CHECK(least == std::vector<duration>{500ms, 1s, 2s, 4s, 5s, 5s});
  CHECK(backoff_before(1, {.attempts = 1, .backoff = 10s, .longest_backoff = 3s}, 1) == 3s);
  const retry_settings endless{.attempts = 9, .backoff = duration::max() - 1us, .longest_backoff = duration::max()};
  CHECK(backoff_before(1000, endless, 0) == duration::max() / 2);
  CHECK(backoff_before(1'000'000, {.attempts = 1, .backoff = duration{0}, .longest_backoff = 1s}, 0.5) == duration{0});
}

TEST_CASE("a failure that passes is tried again and loses and doubles nothing") {
  const temporary_directory kept;
  watched_query query = two_batches(kept);
  query.curated->fails_to_prepare = 2;
  REQUIRE(query.run().ok());
  CHECK(query.pipeline.curated->rows == table_rows{{0, 10, 2}});
  CHECK(query.pipeline.input->reads ==
        std::vector<split_range>{{"memory", 0, 2}, {"memory", 0, 2}, {"memory", 0, 2}, {"memory", 2, 3}});
  CHECK(query.waits == std::vector<duration>{500ms, 1s});
  CHECK(query.curated->opened == 3);
  CHECK(query.curated->aborted == 2);
  CHECK(query.log->said() == std::vector<std::string>{"started at 0", "batch 0 started", "failed TEST, attempt 1",
                                                      "recovered at 0 replaying attempt 1", "batch 0 started again",
                                                      "failed TEST, attempt 2", "recovered at 0 replaying attempt 2",
                                                      "batch 0 started again", "batch 0 completed", "watermark 0 to 2",
                                                      "batch 1 started", "batch 1 completed", "watermark 2 to 50",
                                                      "batch 2 started without data", "batch 2 completed", "finished"});
}

TEST_CASE("when the attempts are used up the last failure ends the query, and a later start goes on") {
  const temporary_directory kept;
  watched_query query = two_batches(kept);
  query.curated->fails_to_prepare = 4;
  const result<void> ended = query.run();
  REQUIRE_FALSE(ended.ok());
  CHECK(ended.error().code == "TEST");
  CHECK(query.waits.size() == 3);
  CHECK(query.log->said().back() == "terminated by TEST");
  REQUIRE(query.run().ok());
  CHECK(query.pipeline.curated->rows == table_rows{{0, 10, 2}});
}

TEST_CASE("attempts are counted anew after a batch was committed") {
  const temporary_directory kept;
  watched_query query = two_batches(kept);
  int batch_one = 0;
  query.curated->fails_to_prepare = 3;
  query.curated->on_prepare = [&](const publication& what) {
    if (what.batch == 1 && batch_one++ == 0) query.curated->fails_to_prepare = 3;
  };
  REQUIRE(query.run().ok());
  CHECK(query.waits == std::vector<duration>{500ms, 1s, 2s, 500ms, 1s, 2s});
  CHECK(query.pipeline.curated->rows == table_rows{{0, 10, 2}});
}

TEST_CASE("what a retry cannot help ends the query at once") {
  const temporary_directory kept;
  watched_query query = two_batches(kept);
  query.curated->fails_to_prepare = 1;
  query.curated->why.kind = failure_class::sink_rejected;
  CHECK_FALSE(query.run().ok());
  CHECK(query.waits.empty());
  CHECK(query.log->said().back() == "terminated by TEST");
}

TEST_CASE("a start that fails is tried again once the checkpoint is ours") {
  const temporary_directory kept;
  watched_query query = two_batches(kept);
  query.curated->fails_to_open = 2;
  REQUIRE(query.run().ok());
  CHECK(query.waits.size() == 2);
  CHECK(query.pipeline.curated->rows == table_rows{{0, 10, 2}});

  SECTION("unless a retry cannot help") {
    query.curated->fails_to_open = 1;
    query.curated->why.kind = failure_class::sink_conflict;
    CHECK_FALSE(query.start().ok());
  }
  SECTION("unless failures are not to be tried again") {
    query.curated->fails_to_open = 1;
    query.settings.retry.attempts = 0;
    CHECK_FALSE(query.start().ok());
  }
}

TEST_CASE("the checkpoint stays locked while its query waits to try again") {
  const temporary_directory kept;
  watched_query query = two_batches(kept);
  query.curated->fails_to_prepare = 1;
  std::string refusal;
  query.environment.sleep = [&](duration) {
    refusal = checkpoint_lock::take(kept / "checkpoint").error().code;
    CHECK(holder_of_checkpoint(kept / "checkpoint")->held);
  };
  REQUIRE(query.run().ok());
  CHECK(refusal == "PMSTREAM460");
  CHECK_FALSE(holder_of_checkpoint(kept / "checkpoint")->held);
}

TEST_CASE("a stop ends the wait for another attempt at once; the planned batch stays for the next start") {
  const temporary_directory kept;
  watched_query query = two_batches(kept);
  query.curated->fails_to_prepare = 1;
  query.settings.retry.backoff = query.settings.retry.longest_backoff = 24h * 365;
  query.environment.sleep = {};
  result<etlantic::query> running = query.start();
  REQUIRE(running.ok());
  query.log->await("failed TEST, attempt 1");
  SECTION("a plain stop ends it well") {
    CHECK(running->stop().ok());
    CHECK(running->status() == query_status::stopped);
    REQUIRE(running->totals().warnings.size() == 1);
    CHECK(running->totals().warnings[0] == "stopped while it waited to try again after TEST: the database is away");
  }
  SECTION("what was to be drained was not") { CHECK_FALSE(running->stop(stop_policy::drain).ok()); }
  CHECK(query.pipeline.curated->rows.empty());
  REQUIRE(query.run().ok());
  CHECK(query.pipeline.curated->rows == table_rows{{0, 10, 2}});
}

TEST_CASE("without a checkpoint failures cannot be tried again, and the start says so") {
  watched_query query{hand_made_pipeline{}};
  const result<etlantic::query> started = query.start();
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().code == "PMCFG345");
  CHECK(started.error().kind == failure_class::configuration);
}

TEST_CASE("RC: a failure at any point that is tried again gives what an uninterrupted run gives") {
  int refused_starts = 0, retried = 0;
  for (int point = 0;; ++point) {
    const temporary_directory kept;
    const hand_made_pipeline pipeline = counted_pipeline(kept / "checkpoint");
    crash_point hiccup(point, ENOSPC);
    hiccup.passes = true;
    profile settings = pipeline.settings(&hiccup);
    settings.retry.attempts = 2;
    query_environment environment = pipeline.environment();
    environment.sleep = [&](duration) { ++retried; };
    const auto run = [&]() -> result<void> {
      result<query> started = start_program(pipeline.lowered(), settings, {}, environment);
      if (!started) return started.error();
      started->await();
      return started->outcome();
    };
    result<void> ran = run();
    if (!ran) {  // before the checkpoint was ours
      ++refused_starts;
      ran = run();
    }
    INFO("point " << point << ": " << (ran ? "" : ran.error().message));
    REQUIRE(ran.ok());
    REQUIRE(pipeline.curated->rows == counted_windows);
    REQUIRE(pipeline.late_rows->rows == counted_late_rows);
    if (hiccup.count() <= point) break;
  }
  CHECK(retried > 80);
  CHECK(refused_starts < 30);
}
