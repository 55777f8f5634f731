#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

#include <condition_variable>
#include <new>
#include <stdexcept>

using namespace etlantic;
using namespace etlantic::test;

namespace {

/// Waits, without sleeping, until a query has completed some batches.
class batch_counter {
 public:
  query::listener listener() {
    return [this](const progress&) {
      const std::lock_guard held(mutex_);
      ++count_;
      changed_.notify_all();
    };
  }
  void await(int count) {
    std::unique_lock held(mutex_);
    changed_.wait(held, [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

/// A sink that does something bad when it is asked to prepare.
class bad_sink : public ledger_sink {
 public:
  explicit bad_sink(void (*bad)()) : ledger_sink(std::make_shared<memory_table>(), nullptr), bad_(bad) {}
  result<void> prepare(const publication&) override {
    bad_();
    return {};
  }
  void abort() override { ++aborted; }
  int aborted = 0;

 private:
  void (*bad_)();
};

/// Rows come when the test says so; plans and the test take turns.
class waiting_source final : public scripted_source {
 public:
  waiting_source(std::shared_ptr<scripted_input> input, bool can_wait)
      : scripted_source(input, nullptr), added_(std::move(input)), can_wait_(can_wait) {}

  void let_come(double seconds) {
    const std::lock_guard held(mutex_);
    added_->add({seconds});
    came_.notify_all();
  }
  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    const std::lock_guard held(mutex_);
    return scripted_source::plan(limits);
  }
  waiting_input waiting() override {
    const std::lock_guard held(mutex_);
    return scripted_source::waiting();
  }
  result<void> read(const split_range& range, intake& into) override {
    const std::lock_guard held(mutex_);
    return scripted_source::read(range, into);
  }
  std::optional<bool> await_rows(duration at_most) override {
    if (!can_wait_) return std::nullopt;
    std::unique_lock held(mutex_);
    return came_.wait_for(held, at_most, [&] { return scripted_source::waiting().rows > 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::shared_ptr<scripted_input> added_;
  bool can_wait_;
};

}  // namespace

TEST_CASE("totals are the sums over a run, and every row is accounted for") {
  hand_made_pipeline pipeline;
  pipeline.input->pause_after_batch = false;
  pipeline.input->add({1, 2, 30});
  pipeline.input->add({3, 31});
  pipeline.input->add({4, 50});
  result<query> running = pipeline.start();
  REQUIRE(running.ok());
  REQUIRE(running->await());
  REQUIRE(running->outcome().ok());
  CHECK(running->status() == query_status::stopped);

  const progress total = running->totals();
  CHECK(total.pipeline == "Counts");
  CHECK(total.query == running->id());
  CHECK(total.batch == 4);  // three with data and the last without
  REQUIRE(total.extracts.size() == 1);
  CHECK(total.extracts[0].read == 7);
  CHECK(total.extracts[0].valid == 7);
  REQUIRE(total.steps.size() == 1);
  CHECK(total.steps[0].counts.received == 7);
  CHECK(total.steps[0].counts.late == 1);
  CHECK(total.steps[0].counts.kept == 6);
  CHECK(total.steps[0].state.windows == 1);
  REQUIRE(total.loads.size() == 3);
  CHECK(total.loads[0].rows == static_cast<std::int64_t>(pipeline.curated->rows.size()));
  CHECK(total.loads[1].rows == 1);
  CHECK(total.watermark == timestamp{50 * second});

  const std::vector<progress> recent = running->recent_progress();
  REQUIRE(recent.size() == 4);
  CHECK(recent[0].extracts[0].ranges == std::vector<split_range>{{"memory", 0, 3}});
  CHECK(recent[3].no_data);
  CHECK(recent[0].started == pipeline.clock);
  CHECK(running->last_progress().batch == 3);
}

TEST_CASE("the rejected rows of an extract go to its invalid port with the time at which the batch was planned") {
  hand_made_pipeline pipeline;
  pipeline.input->lines = true;
  pipeline.input->text = "1\nbad\n-7";
  pipeline.input->rows.assign(1, 0);
  result<query> running = pipeline.start();
  REQUIRE(running.ok());
  REQUIRE(running->await());
  CHECK(pipeline.quarantine->rows == table_rows{{0, 3, 1'700'000'000}, {12, 2, 1'700'000'000}});
  CHECK(running->totals().extracts[0].reasons ==
        std::map<std::string, std::int64_t>{{"malformed", 1}, {"out_of_range", 1}});
}

TEST_CASE("each batch tells what still waits behind it, where the source knows") {
  hand_made_pipeline pipeline{.max_rows = 2};
  pipeline.input->pause_after_batch = false;
  pipeline.input->add({1, 2, 3, 4, 5});
  for (const bool known : {true, false}) {
    pipeline.input->tells_waiting = known;
    result<query> running = pipeline.start();
    REQUIRE(running.ok());
    REQUIRE(running->await());
    std::vector<std::optional<std::int64_t>> waiting;
    for (const progress& each : running->recent_progress()) waiting.push_back(each.extracts[0].waiting.rows);
    using rows = std::vector<std::optional<std::int64_t>>;
    CHECK(waiting == (known ? rows{3, 1, 0, 0} : rows(4)));
    CHECK(running->totals().extracts[0].waiting.rows == (known ? std::optional<std::int64_t>(0) : std::nullopt));
    CHECK_FALSE(running->totals().extracts[0].waiting.bytes);
  }
}

TEST_CASE("the trigger once runs one batch, however much waits") {
  hand_made_pipeline pipeline{.trigger = trigger_kind::once, .max_rows = 2};
  pipeline.input->add({1, 2, 3, 4, 5});
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.input->reads == std::vector<split_range>{{"memory", 0, 2}});
}

TEST_CASE("the triggers continuous and interval go on until they are stopped") {
  for (const trigger_kind trigger : {trigger_kind::continuous, trigger_kind::interval}) {
    hand_made_pipeline pipeline{.trigger = trigger};
    pipeline.input->add({1});
    pipeline.input->add({50});
    batch_counter batches;
    result<query> running = pipeline.start(nullptr, batches.listener());
    REQUIRE(running.ok());
    batches.await(4);  // both with data, and one without behind each
    CHECK_FALSE(running->await(duration{0}));
    CHECK(running->stop().ok());
    CHECK(running->stop().ok());
    CHECK(running->status() == query_status::stopped);
    CHECK(running->await(duration{0}));
    CHECK(pipeline.curated->rows == table_rows{{0, 10, 1}});
  }
}

TEST_CASE("with low latency a source that says that rows came ends the wait, and so does a stop") {
  for (const bool can_wait : {true, false}) {
    hand_made_pipeline pipeline{.trigger = trigger_kind::low_latency};
    pipeline.input->pause_after_batch = false;
    pipeline.input->add({1});
    profile settings = pipeline.settings();
    settings.poll_interval = std::chrono::hours{1};
    const auto waiting = std::make_shared<waiting_source>(pipeline.input, can_wait);
    settings.assets["events"].made_source = waiting;
    batch_counter batches;
    result<query> running = start_program(pipeline.lowered(), settings, batches.listener(), pipeline.environment());
    REQUIRE(running.ok());
    batches.await(2);  // with the row, and what its watermark closes
    waiting->let_come(50);
    batches.await(4);
    CHECK(running->stop().ok());
    CHECK(pipeline.curated->rows == table_rows{{0, 10, 1}});
  }
}

TEST_CASE("a long pause ends at once when a stop is requested") {
  hand_made_pipeline pipeline{.trigger = trigger_kind::interval};
  pipeline.input->add({1});
  profile settings = pipeline.settings();
  settings.trigger.interval = duration::max();
  batch_counter batches;
  result<query> running = start_program(pipeline.lowered(), settings, batches.listener(), pipeline.environment());
  REQUIRE(running.ok());
  batches.await(1);
  running->request_stop();
  CHECK(running->await());
}

TEST_CASE("without batches for what closed, nothing is published until there is input") {
  hand_made_pipeline pipeline{.no_data_batches = false};
  pipeline.input->add({1, 50});
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.contexts->size() == 1);
  CHECK(pipeline.curated->rows.empty());
}

TEST_CASE("the destructor of a handle stops its query") {
  hand_made_pipeline pipeline{.trigger = trigger_kind::continuous};
  pipeline.input->add({1});
  batch_counter batches;
  {
    result<query> running = pipeline.start(nullptr, batches.listener());
    REQUIRE(running.ok());
    batches.await(1);
    query moved = std::move(*running);
    CHECK(moved.id().size() == 32);
  }
  CHECK(pipeline.curated->ledger.size() == 1);
}

TEST_CASE("an exception from a listener is ignored") {
  hand_made_pipeline pipeline;
  pipeline.input->add({1, 50});
  CHECK(pipeline.run(nullptr, [](const progress&) { throw std::runtime_error("not our affair"); }).ok());
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 1}});
}

TEST_CASE("a batch that fails ends the query, aborts the sinks, and says that it will be replayed") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.checkpoint = kept / "checkpoint"};
  pipeline.input->add({1, 50});
  profile settings = pipeline.settings();
  std::shared_ptr<bad_sink> bad;
  std::string code;
  failure_class kind{};
  SECTION("by an exception") {
    bad = std::make_shared<bad_sink>([] { throw std::runtime_error("lost my mind"); });
    code = "PMSTREAM473";
    kind = failure_class::internal;
  }
  SECTION("by lack of memory") {
    bad = std::make_shared<bad_sink>([] { throw std::bad_alloc(); });
    code = "PMSTREAM470";
    kind = failure_class::resource_exhausted;
  }
  settings.assets["late_rows"].made_sink = bad;
  result<query> running = start_program(pipeline.lowered(), settings, {}, pipeline.environment());
  REQUIRE(running.ok());
  REQUIRE(running->await());
  CHECK(running->status() == query_status::failed);
  const result<void> outcome = running->outcome();
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().code == code);
  CHECK(outcome.error().kind == kind);
  CHECK(outcome.error().help.find("Batch 0 is planned: the next start replays exactly that batch.") !=
        std::string::npos);
  CHECK(bad->aborted == 1);
  CHECK(pipeline.curated->rows.empty());
  CHECK(pipeline.run().ok());
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 1}});
}

TEST_CASE("a step whose counts do not add up stops the query") {
  class forgetful_stage : public counting_stage {
   public:
    forgetful_stage() : counting_stage(second, std::make_shared<context_log>()) {}
    stage_counts counts() const override {
      stage_counts wrong = counting_stage::counts();
      --wrong.kept;
      return wrong;
    }
  };
  hand_made_pipeline pipeline;
  pipeline.input->add({1});
  program what = pipeline.lowered();
  what.nodes[1].make_stage = [](const port_modes&) -> std::unique_ptr<stage> {
    return std::make_unique<forgetful_stage>();
  };
  result<query> running = start_program(what, pipeline.settings(), {}, pipeline.environment());
  REQUIRE(running.ok());
  running->await();
  REQUIRE_FALSE(running->outcome().ok());
  CHECK(running->outcome().error().code == "PMSTREAM472");
  CHECK(pipeline.curated->ledger.empty());
}

TEST_CASE("two steps with watermarks: the batch runs under the smaller one") {
  hand_made_pipeline pipeline{.delay = 10 * second};
  auto other_input = std::make_shared<scripted_input>();
  program what = pipeline.lowered();
  program_node other_extract = what.nodes[0];
  other_extract.name = other_extract.asset = "more_events";
  program_node other_step = what.nodes[1];
  other_step.name = "more_windows";
  other_step.inputs = {{5, 0}};
  other_step.watermarks = {{other_step.name, "rows", "ts", duration{5 * second}}};
  what.nodes.push_back(other_extract);
  what.nodes.push_back(other_step);
  pipeline.input->add({11});
  other_input->add({6});
  pipeline.input->add({21});
  other_input->add({8});
  profile settings = pipeline.settings();
  settings.assets["more_events"].made_source = std::make_shared<scripted_source>(other_input, nullptr);
  std::vector<std::int64_t> watermarks;
  result<query> running = start_program(
      what, settings, [&](const progress& batch) { watermarks.push_back(batch.watermark.microseconds / second); },
      pipeline.environment());
  REQUIRE(running.ok());
  running->await();
  CHECK(watermarks == std::vector<std::int64_t>{1, 1, 3, 3});
}
