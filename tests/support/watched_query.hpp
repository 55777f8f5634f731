#pragma once
#include "recovery/hand_made_pipeline.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// What tests of a query's life share: a listener that writes down what it is told, waits that are not slept, and a
/// sink that fails as often as it is told to.
namespace etlantic::test {

/// Writes down each event as a few words.
class event_log : public query_listener {
 public:
  void started(const query_start& event) override {
    say("started at " + std::to_string(event.next_batch) + (event.replays ? " replaying" : ""));
  }
  void recovered(const query_recovery& event) override {
    say("recovered at " + std::to_string(event.next_batch) + (event.replays ? " replaying" : "") + " attempt " +
        std::to_string(event.attempt));
  }
  void batch_started(const batch_start& event) override {
    say("batch " + std::to_string(event.batch) + " started" + (event.no_data ? " without data" : "") +
        (event.replayed ? " again" : ""));
  }
  void batch_completed(const progress& batch) override { say("batch " + std::to_string(batch.batch) + " completed"); }
  void watermark_advanced(const watermark_advance& event) override {
    say("watermark " + std::to_string(event.from.microseconds / second) + " to " +
        std::to_string(event.to.microseconds / second));
  }
  void idle(const query_idle&) override { say("idle"); }
  void failed(const query_failure& event) override {
    say("failed " + event.why.code + (event.tried_again ? ", attempt " + std::to_string(event.attempt) : ", for good"));
  }
  void terminated(const query_end& event) override {
    say(event.why ? "terminated by " + event.why->code : event.stopped ? "stopped" : "finished");
  }

  std::vector<std::string> said() const {
    const std::lock_guard held(mutex_);
    return said_;
  }
  /// Waits, without sleeping, until something was said so often.
  void await(const std::string& what, int times = 1) {
    std::unique_lock held(mutex_);
    changed_.wait(held, [&] { return std::count(said_.begin(), said_.end(), what) >= times; });
  }

 private:
  void say(std::string what) {
    const std::lock_guard held(mutex_);
    said_.push_back(std::move(what));
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> said_;
};

/// Fails to prepare as often as told, as a database does that cannot be reached.
class flaky_sink : public ledger_sink {
 public:
  explicit flaky_sink(std::shared_ptr<memory_table> table) : ledger_sink(std::move(table), nullptr) {}

  result<void> open(const schema& contract, output_mode mode, const publisher& who) override {
    ++opened;
    if (fails_to_open-- > 0) return why;
    return ledger_sink::open(contract, mode, who);
  }
  result<void> prepare(const publication& what) override {
    if (on_prepare) on_prepare(what);
    if (fails_to_prepare-- > 0) return why;
    return ledger_sink::prepare(what);
  }
  void abort() override {
    ++aborted;
    ledger_sink::abort();
  }

  failure why{failure_class::connectivity, "TEST", "the database is away", "table", ""};
  int fails_to_prepare = 0;
  int fails_to_open = 0;
  int opened = 0;
  int aborted = 0;
  std::function<void(const publication&)> on_prepare;
};

/// A hand-made pipeline with a flaky sink, a log, and waits that are only written down.
struct watched_query {
  explicit watched_query(hand_made_pipeline made) : pipeline(std::move(made)) {
    settings = pipeline.settings();
    settings.assets["curated"].made_sink = curated;
    settings.retry = {.attempts = 3, .backoff = std::chrono::seconds(1), .longest_backoff = std::chrono::seconds(60)};
    environment = pipeline.environment();
    environment.listeners = {log};
    environment.sleep = [this](duration length) { waits.push_back(length); };
    environment.random = [] { return 0.0; };
  }
  result<query> start() const { return start_program(pipeline.lowered(), settings, {}, environment); }
  result<void> run() const {
    result<query> started = start();
    if (!started) return started.error();
    started->await();
    return started->outcome();
  }

  hand_made_pipeline pipeline;
  std::shared_ptr<flaky_sink> curated = std::make_shared<flaky_sink>(pipeline.curated);
  std::shared_ptr<event_log> log = std::make_shared<event_log>();
  profile settings;
  query_environment environment;
  std::vector<duration> waits;
};

}  // namespace etlantic::test
