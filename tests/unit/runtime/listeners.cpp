#include "support/catch.hpp"
#include "support/watched_query.hpp"

#include <stdexcept>

using namespace etlantic;
using namespace etlantic::test;

namespace {

class rude_listener : public query_listener {
 public:
  void started(const query_start&) override { throw std::runtime_error("rude"); }
  void recovered(const query_recovery&) override { throw 1; }
  void batch_started(const batch_start&) override { throw 2; }
  void batch_completed(const progress&) override { throw 3; }
  void watermark_advanced(const watermark_advance&) override { throw 4; }
  void idle(const query_idle&) override { throw 5; }
  void failed(const query_failure&) override { throw 6; }
  void terminated(const query_end&) override { throw 7; }
};

}  // namespace

TEST_CASE("listeners are told of a query's life in the order of what happens; none is harmed by another") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.checkpoint = kept / "checkpoint"};
  pipeline.input->add({1, 50});
  watched_query query(std::move(pipeline));
  const auto second_log = std::make_shared<event_log>();
  query.environment.listeners = {std::make_shared<rude_listener>(), query.log, second_log};
  query.curated->fails_to_prepare = 1;
  REQUIRE(query.run().ok());
  const std::vector<std::string> first{
      "started at 0",          "batch 0 started",   "failed TEST, attempt 1", "recovered at 0 replaying attempt 1",
      "batch 0 started again", "batch 0 completed", "watermark 0 to 50",      "batch 1 started without data",
      "batch 1 completed",     "finished"};
  CHECK(query.log->said() == first);
  CHECK(second_log->said() == first);

  // A later start goes on from the checkpoint.
  query.pipeline.input->add({60});
  REQUIRE(query.run().ok());
  std::vector<std::string> both = first;
  for (const char* each : {"started at 2", "recovered at 2 attempt 0", "batch 2 started", "batch 2 completed",
                           "watermark 50 to 60", "batch 3 started without data", "batch 3 completed", "finished"})
    both.emplace_back(each);
  CHECK(query.log->said() == both);
}

TEST_CASE("that nothing waits is told once, until there is a batch again") {
  hand_made_pipeline pipeline{.trigger = trigger_kind::continuous, .no_data_batches = false};
  pipeline.input->add({1});
  watched_query query(std::move(pipeline));
  query.settings.retry.attempts = 0;
  int waits = 0;
  std::function<void()> stop;
  query.environment.sleep = [&](duration) {
    if (++waits == 3) query.pipeline.input->add({2});
    if (waits == 7) stop();
  };
  result<etlantic::query>* running = nullptr;
  std::atomic<bool> ready = false;
  stop = [&] {
    ready.wait(false);
    (*running)->request_stop();
  };
  result<etlantic::query> started = query.start();
  running = &started;
  ready = true;
  ready.notify_all();
  REQUIRE(started->await());
  CHECK(query.log->said() == std::vector<std::string>{"started at 0", "batch 0 started", "batch 0 completed",
                                                      "watermark 0 to 1", "idle", "batch 1 started",
                                                      "batch 1 completed", "watermark 1 to 2", "idle", "stopped"});
}

TEST_CASE("a failure that ends a query is told, and then its end") {
  hand_made_pipeline pipeline;
  pipeline.input->add({1});
  watched_query query(std::move(pipeline));
  query.settings.retry.attempts = 0;
  query.curated->fails_to_prepare = 1;
  CHECK_FALSE(query.run().ok());
  CHECK(query.log->said() ==
        std::vector<std::string>{"started at 0", "batch 0 started", "failed TEST, for good", "terminated by TEST"});
}
