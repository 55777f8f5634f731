#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Reading {
  std::int64_t sensor;
  std::int64_t value;
  timestamp time;
};

struct SensorWindow {
  std::int64_t sensor;
  timestamp window_start, window_end;
  std::int64_t readings, total;
  using key = primary_key<"sensor", "window_start">;

  friend bool operator==(const SensorWindow&, const SensorWindow&) = default;
};

constexpr auto windows() {
  return from<Reading>("readings") | watermark<"time">(0s) | group_by<"sensor"> | tumbling<"time">(10s) |
         aggregate<SensorWindow>(named<"readings"> = count(), named<"total"> = sum(field<"value">)) |
         into<output_mode::append>("windows");
}

timestamp at(std::int64_t second) { return {second * 1'000'000}; }

/// A sink in memory that cannot be reached now and then.
class flaky_memory_sink final : public sink {
 public:
  result<void> open(const schema& contract, output_mode mode, const publisher& who) override {
    return kept_.open(contract, mode, who);
  }
  result<void> prepare(const publication& what) override {
    if (fails-- > 0) return failure{failure_class::connectivity, "TEST", "nobody answers", "memory", ""};
    return kept_.prepare(what);
  }
  result<void> commit(std::int64_t batch) override { return kept_.commit(batch); }
  void abort() override { kept_.abort(); }
  std::string describe() const override { return "memory"; }

  std::vector<SensorWindow> rows() const { return kept_.rows(); }
  std::atomic<int> fails = 0;

 private:
  memory_sink<SensorWindow> kept_;
};

struct ends {
  std::shared_ptr<memory_source<Reading>> source = std::make_shared<memory_source<Reading>>();
  std::shared_ptr<flaky_memory_sink> sink = std::make_shared<flaky_memory_sink>();

  profile where(const std::string& checkpoint) const {
    profile made;
    made.checkpoint = checkpoint;
    made.trigger.kind = trigger_kind::available_now;
    made.assets["readings"].made_source = source;
    made.assets["windows"].made_sink = sink;
    made.retry = {.attempts = 3, .backoff = 1ms, .longest_backoff = 1ms};
    return made;
  }
};

struct retry_watch : query_listener {
  void failed(const query_failure& event) override {
    if (event.tried_again) ++retries;
  }
  void batch_completed(const progress& batch) override {
    const std::lock_guard held(mutex);
    batches = batch.batch + 1;
    changed.notify_all();
  }
  void await(std::int64_t count) {
    std::unique_lock held(mutex);
    changed.wait(held, [&] { return batches >= count; });
  }

  int retries = 0;
  std::int64_t batches = 0;
  std::mutex mutex;
  std::condition_variable changed;
};

}  // namespace

TEST_CASE("sources and sinks in memory start again after a failure and lose and double nothing") {
  const test::temporary_directory kept;
  const ends both;
  both.source->add({{1, 5, at(1)}, {1, 6, at(2)}, {2, 7, at(3)}});
  both.source->add({{1, 8, at(12)}});
  both.source->add({{2, 9, at(25)}});
  both.sink->fails = 2;
  const auto seen = std::make_shared<retry_watch>();
  query_environment environment{.listeners = {seen}};
  environment.sleep = [&](duration) { both.sink->fails = both.sink->fails > 0 ? 1 : 0; };
  result<query> running = start(windows(), both.where(kept / "checkpoint"), environment);
  REQUIRE(running.ok());
  REQUIRE(running->await());
  REQUIRE(running->outcome().ok());
  CHECK(seen->retries > 0);
  std::vector<SensorWindow> rows = both.sink->rows();
  // Which group of a batch comes first is not promised.
  std::sort(rows.begin(), rows.end(), [](const SensorWindow& a, const SensorWindow& b) {
    return std::pair(a.window_start, a.sensor) < std::pair(b.window_start, b.sensor);
  });
  CHECK(rows ==
        std::vector<SensorWindow>{{1, at(0), at(10), 2, 11}, {2, at(0), at(10), 1, 7}, {1, at(10), at(20), 1, 8}});
}

TEST_CASE("many queries run in one process, each on its own checkpoint, and are stopped from other threads") {
  constexpr std::int64_t queries = 6;
  constexpr std::int64_t batches = 20;
  const test::temporary_directory kept;
  std::vector<ends> all(queries);
  std::vector<std::shared_ptr<retry_watch>> seen;
  std::vector<query> running;
  for (std::int64_t i = 0; i < queries; ++i) {
    profile where = all[static_cast<std::size_t>(i)].where(kept / std::to_string(i));
    where.trigger.kind = trigger_kind::continuous;
    where.poll_interval = 1ms;
    where.workers = 2;
    where.no_data_batches = false;
    all[static_cast<std::size_t>(i)].sink->fails = static_cast<int>(i % 3);
    seen.push_back(std::make_shared<retry_watch>());
    result<query> started = start(windows(), where, {.listeners = {seen.back()}});
    REQUIRE(started.ok());
    running.push_back(std::move(*started));
  }
  std::vector<std::future<void>> users;
  for (std::size_t i = 0; i < queries; ++i) {
    users.push_back(std::async(std::launch::async, [&, i] {
      for (std::int64_t batch = 0; batch < batches; ++batch) {
        all[i].source->add({{static_cast<std::int64_t>(i), batch, at(10 * batch)}});
        (void)running[i].last_progress();
        (void)running[i].status();
      }
      seen[i]->await(batches);
      (void)running[i].stop(static_cast<stop_policy>(i % 3));
    }));
  }
  for (auto& each : users) each.get();
  for (std::size_t i = 0; i < queries; ++i) {
    INFO("query " << i);
    CHECK(running[i].outcome().ok());
    CHECK(running[i].status() == query_status::stopped);
    CHECK(seen[i]->retries == static_cast<int>(i % 3));
    // Each batch closes the window of the one before the last, whose watermark is in force.
    std::vector<SensorWindow> expected;
    for (std::int64_t batch = 0; batch + 2 < batches; ++batch)
      expected.push_back({static_cast<std::int64_t>(i), at(10 * batch), at(10 * batch + 10), 1, batch});
    CHECK(all[i].sink->rows() == expected);
  }
}
