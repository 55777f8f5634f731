#include "support/catch.hpp"
#include "support/watched_query.hpp"

#include <etlantic/runtime/stop_request.hpp>

#include <fstream>

using namespace etlantic;
using namespace etlantic::test;
using namespace std::chrono_literals;

namespace {

/// Four batches with a row each, one after the other, and then silence.
hand_made_pipeline endless(const std::string& checkpoint = {}) {
  hand_made_pipeline pipeline{.trigger = trigger_kind::continuous, .checkpoint = checkpoint, .no_data_batches = false};
  pipeline.input->pause_after_batch = false;
  for (const double each : {1.0, 11.0, 21.0, 31.0}) pipeline.input->add({each});
  return pipeline;
}

watched_query watched(hand_made_pipeline pipeline) {
  watched_query query(std::move(pipeline));
  query.settings.retry.attempts = 0;
  query.environment.sleep = {};
  return query;
}

/// Calls once, in the batch, while it is about to be published.
void in_batch(watched_query& query, std::int64_t batch, std::function<void()> call) {
  query.curated->on_prepare = [=, done = false](const publication& what) mutable {
    if (what.batch == batch && !std::exchange(done, true)) call();
  };
}

}  // namespace

TEST_CASE("a stop that finishes the batch commits it and reads nothing more") {
  watched_query query = watched(endless());
  result<etlantic::query>* running = nullptr;
  std::atomic<bool> ready = false;
  in_batch(query, 1, [&] {
    ready.wait(false);
    (*running)->request_stop();
  });
  result<etlantic::query> started = query.start();
  running = &started;
  ready = true;
  ready.notify_all();
  REQUIRE(started->await());
  CHECK(started->outcome().ok());
  CHECK(started->totals().batch == 2);
  CHECK(started->stop_requested());
  CHECK(query.log->said().back() == "stopped");
}

TEST_CASE("a stop that drains reads what is there, and what comes later stays for the next start") {
  watched_query query = watched(endless());
  query.pipeline.input->visible = 3;
  result<etlantic::query>* running = nullptr;
  std::atomic<bool> ready = false;
  in_batch(query, 0, [&] {
    ready.wait(false);
    (*running)->request_stop(stop_policy::drain);
  });
  int looks = 0;
  query.pipeline.input->on_plan = [&] {
    if (++looks == 3) query.pipeline.input->visible = 4;  // arrives while the rest is drained
  };
  result<etlantic::query> started = query.start();
  running = &started;
  ready = true;
  ready.notify_all();
  REQUIRE(started->await());
  CHECK(started->outcome().ok());
  CHECK(started->totals().extracts[0].read == 3);
  CHECK(started->status() == query_status::stopped);
}

TEST_CASE("a stop that drains does not wait for the next interval") {
  hand_made_pipeline pipeline = endless();
  pipeline.trigger = trigger_kind::interval;
  watched_query query = watched(std::move(pipeline));
  query.settings.trigger.interval = 24h;
  result<etlantic::query> started = query.start();
  query.log->await("batch 0 completed");
  CHECK(started->stop(stop_policy::drain).ok());
  CHECK(started->totals().extracts[0].read == 4);
}

TEST_CASE("a stop at once leaves the batch before it is published, and the next start replays it") {
  const temporary_directory kept;
  watched_query query = watched(endless(kept / "checkpoint"));
  result<etlantic::query>* running = nullptr;
  std::atomic<bool> ready = false;
  in_batch(query, 2, [&] {
    ready.wait(false);
    (*running)->request_stop(stop_policy::at_once);
  });
  result<etlantic::query> started = query.start();
  running = &started;
  ready = true;
  ready.notify_all();
  REQUIRE(started->await());
  CHECK(started->outcome().ok());
  CHECK(started->status() == query_status::stopped);
  CHECK(started->totals().batch == 2);
  CHECK(query.curated->aborted == 1);
  CHECK(query.log->said().back() == "stopped");
  CHECK(query.pipeline.curated->rows.empty());

  query.curated->on_prepare = {};
  result<etlantic::query> again = query.start();
  query.log->await("batch 3 completed");
  CHECK(again->stop().ok());
  CHECK(query.pipeline.input->reads ==
        std::vector<split_range>{
            {"memory", 0, 1}, {"memory", 1, 2}, {"memory", 2, 3}, {"memory", 2, 3}, {"memory", 3, 4}});
  CHECK(query.pipeline.curated->rows == table_rows{{0, 10, 1}, {10, 20, 1}});
}

TEST_CASE("a request that is less urgent than one before changes nothing") {
  query_report report("q", "p");
  CHECK_FALSE(report.requested_stop());
  report.request_stop(stop_policy::finish_batch);
  report.request_stop(stop_policy::drain);
  CHECK(report.requested_stop() == stop_policy::finish_batch);
  report.request_stop(stop_policy::at_once);
  CHECK(report.requested_stop() == stop_policy::at_once);
}

TEST_CASE("a request that another process leaves in the checkpoint stops the query") {
  const temporary_directory kept;
  watched_query query = watched(endless(kept / "checkpoint"));
  query.settings.on_stop = stop_policy::drain;
  query.settings.poll_interval = 24h;  // it looks while it waits
  const std::string request = kept / "checkpoint" + "/stop";
  result<etlantic::query> started = query.start();
  query.log->await("idle");
  SECTION("as its profile says") { REQUIRE(stop_request::leave(kept / "checkpoint", std::nullopt).ok()); }
  SECTION("as the request says") { REQUIRE(stop_request::leave(kept / "checkpoint", stop_policy::at_once).ok()); }
  SECTION("as its profile says, if nobody knows what the request says") { std::ofstream(request) << "now!"; }
  REQUIRE(started->await());
  CHECK(started->outcome().ok());
  CHECK(started->stop_requested());
  CHECK_FALSE(std::filesystem::exists(request));
}

TEST_CASE("a request that was left for an earlier run is forgotten") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = endless(kept / "checkpoint");
  pipeline.trigger = trigger_kind::available_now;
  const watched_query query = watched(std::move(pipeline));
  REQUIRE(query.run().ok());
  REQUIRE(stop_request::leave(kept / "checkpoint", stop_policy::at_once).ok());
  query.pipeline.input->add({41});
  result<etlantic::query> started = query.start();
  REQUIRE(started->await());
  CHECK_FALSE(started->stop_requested());
  CHECK(started->totals().extracts[0].read == 1);
}
