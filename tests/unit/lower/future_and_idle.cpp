#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/query.hpp>

#include <unistd.h>

#include <filesystem>

// What the clock of the machine decides: event times too far ahead of it, and inputs that have been silent for long.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Event {
  std::int64_t id;
  timestamp time;
};
struct Count {
  timestamp window_start;
  std::int64_t events;
  bool operator==(const Count&) const = default;
};

struct CountEvents {
  input<Event> left;
  input<Event> right;
  output<Count> counts;
};
constexpr auto implement(const CountEvents& t) {
  return union_all(t.left | watermark<"time">(0s), t.right | watermark<"time">(0s)) | tumbling<"time">(10s) |
         aggregate<Count>(named<"events"> = count());
}
struct Both {
  extract<Event, "left"> left;
  extract<Event, "right"> right;
  step<CountEvents, "left.valid", "right.valid"> count;
  load<Count, "counts", "count.counts", output_mode::append> counts;
  load<late<Event>, "late", "count.late"> late_events;
  load<rejected<Event>, "invalid", "left.invalid"> invalid;
};

timestamp at(std::int64_t seconds) { return {seconds * 1'000'000}; }
Event event(std::int64_t seconds) { return {seconds, at(seconds)}; }

/// Dies before it publishes, if told to.
class failing_sink final : public sink {
 public:
  explicit failing_sink(std::shared_ptr<sink> target) : target_(std::move(target)) {}
  bool fails = false;

  result<std::optional<std::int64_t>> published(const publisher& who) override { return target_->published(who); }
  result<void> open(const schema& contract, output_mode mode, const publisher& who) override {
    return target_->open(contract, mode, who);
  }
  result<void> prepare(const publication& what) override {
    if (fails) return failure{failure_class::connectivity, "TEST", "the process died here", "", ""};
    return target_->prepare(what);
  }
  result<void> commit(std::int64_t batch) override { return target_->commit(batch); }
  void abort() override { target_->abort(); }
  std::string describe() const override { return target_->describe(); }

 private:
  std::shared_ptr<sink> target_;
};

/// A pipeline whose inputs and tables outlive its runs; each run is a process of its own, at a time of its own.
struct two_inputs {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("etlantic_future_and_idle_" + std::to_string(::getpid()));
  std::shared_ptr<memory_source<Event>> left = std::make_shared<memory_source<Event>>();
  std::shared_ptr<memory_source<Event>> right = std::make_shared<memory_source<Event>>();
  std::shared_ptr<memory_sink<Count>> counts = std::make_shared<memory_sink<Count>>();
  std::shared_ptr<memory_sink<late<Event>>> late_events = std::make_shared<memory_sink<late<Event>>>();
  std::shared_ptr<memory_sink<rejected<Event>>> invalid = std::make_shared<memory_sink<rejected<Event>>>();
  std::shared_ptr<failing_sink> published = std::make_shared<failing_sink>(counts);
  duration reject_future{};
  duration idle_left{};
  duration idle_right{};

  two_inputs() { std::filesystem::remove_all(folder); }
  ~two_inputs() { std::filesystem::remove_all(folder); }

  profile where() const {
    profile made;
    made.trigger.kind = trigger_kind::available_now;
    made.checkpoint = folder.string();
    made.assets["left"] = {
        .connector = "", .options = {}, .made_source = left, .reject_future = reject_future, .idle_after = idle_left};
    made.assets["right"] = {.connector = "", .options = {}, .made_source = right, .idle_after = idle_right};
    made.assets["counts"].made_sink = published;
    made.assets["late"].made_sink = late_events;
    made.assets["invalid"].made_sink = invalid;
    return made;
  }

  progress run(std::int64_t now) {
    query_environment environment;
    environment.now = [now] { return at(now); };
    auto started = start_program(*lower<Both>(), where(), {}, environment);
    INFO((started ? "" : started.error().message));
    REQUIRE(started.ok());
    started->await();
    const auto outcome = started->outcome();
    INFO((outcome ? "" : outcome.error().message));
    REQUIRE(outcome.ok() != published->fails);
    return started->totals();
  }
};

const std::string idle_right_told =
    "the input of watermark 'count.right' is idle and holds nobody back: its rows may come late from here on";

std::int64_t watermark_of(const progress& ran) { return ran.watermark.microseconds / 1'000'000; }

}  // namespace

TEST_CASE("WM-15: a row too far ahead of the clock is invalid, is told, and does not move the watermark") {
  for (const bool guarded : {false, true}) {
    two_inputs both;
    both.idle_right = 1us;  // only the left one counts here
    if (guarded) both.reject_future = 1h;
    both.left->add({event(0), event(120)});
    CHECK(watermark_of(both.run(290)) == 0);
    CHECK(watermark_of(both.run(300)) == 120);
    both.left->add({event(86520)});
    const progress ran = both.run(300);
    CHECK(watermark_of(ran) == (guarded ? 120 : 86520));
    CHECK(ran.extracts[0].invalid == (guarded ? 1 : 0));
    std::vector<std::string> told = {idle_right_told};
    if (guarded)
      told.push_back(
          "rows of 'left' further ahead of the clock than reject_future allows: 1; they are in 'left.invalid' "
          "and do not move the watermark");
    CHECK(ran.warnings == told);
    both.left->add({event(180)});
    CHECK(both.run(301).steps[0].counts.late == (guarded ? 0 : 1));
    REQUIRE(both.invalid->rows().size() == (guarded ? 1u : 0u));
    if (!guarded) continue;
    CHECK(both.invalid->rows()[0].field == "time");
    CHECK(both.invalid->rows()[0].reason == "future");
    CHECK(both.invalid->rows()[0].observed_time == at(300));
  }
}

TEST_CASE("the bound is measured from the time at which the batch was planned, and includes its end") {
  two_inputs both;
  both.reject_future = 1min;
  both.left->add({event(1060), event(1061)});
  CHECK(both.run(1000).extracts[0].invalid == 1);
  both.left->add({event(1061)});
  CHECK(both.run(1001).extracts[0].invalid == 0);
  both.left->add({{1, {std::numeric_limits<std::int64_t>::max()}}, {1, {std::numeric_limits<std::int64_t>::min()}}});
  CHECK(both.run(1001).extracts[0].invalid == 1);
}

TEST_CASE("reject_future without an event time to guard is refused before anything runs") {
  struct Copy {
    std::int64_t id;
  };
  profile where;
  where.assets["in"] = {
      .connector = "", .options = {}, .made_source = std::make_shared<memory_source<Event>>(), .reject_future = 1h};
  where.assets["out"].made_sink = std::make_shared<memory_sink<Copy>>();
  const auto ran = run(from<Event>("in") | select<Copy>() | into("out"), where);
  REQUIRE(!ran.ok());
  CHECK(ran.error().code == "PMPLAN206");
  CHECK(ran.error().where == "profile 'default', assets.in.reject_future");
}

TEST_CASE("an input that never had rows holds the watermark until it has been silent for long enough") {
  two_inputs both;
  both.idle_right = 30s;
  both.left->add({event(5), event(25)});
  CHECK(watermark_of(both.run(1000)) == 0);
  CHECK(watermark_of(both.run(1029)) == 0);
  CHECK(both.counts->rows().empty());
  const progress ran = both.run(1030);
  CHECK(watermark_of(ran) == 25);
  CHECK(ran.warnings == std::vector<std::string>{idle_right_told});
  CHECK(both.counts->rows() == std::vector<Count>{{at(0), 1}});
}

TEST_CASE("an input that fell silent is waited for until then, and its rows that come again may be late") {
  two_inputs both;
  both.idle_right = 30s;
  both.left->add({event(15)});
  both.right->add({event(12)});
  CHECK(watermark_of(both.run(1000)) == 12);
  both.left->add({event(45)});
  CHECK(watermark_of(both.run(1020)) == 12);
  both.left->add({event(55)});
  CHECK(watermark_of(both.run(1040)) == 55);
  CHECK(both.counts->rows() == std::vector<Count>{{at(10), 2}, {at(40), 1}});
  // It speaks again: the watermark stays, what it has closed is late, and it is waited for from here on.
  both.right->add({event(41), event(57)});
  both.left->add({event(99)});
  CHECK(watermark_of(both.run(1041)) == 57);
  REQUIRE(both.late_events->rows().size() == 1);
  CHECK(both.late_events->rows()[0].event.id == 41);
}

TEST_CASE("rows that wait end the silence, however long nobody looked for them") {
  two_inputs both;
  both.idle_right = 30s;
  both.left->add({event(15)});
  both.right->add({event(12)});
  CHECK(watermark_of(both.run(1000)) == 12);
  both.left->add({event(95)});
  both.right->add({event(32)});
  CHECK(watermark_of(both.run(9000)) == 32);
  CHECK(both.late_events->rows().empty());
}

TEST_CASE("when all inputs are idle the watermark of the slowest stays, and without idle_after it is waited for ever") {
  two_inputs both;
  both.idle_left = both.idle_right = 30s;
  both.left->add({event(15)});
  both.right->add({event(12)});
  CHECK(watermark_of(both.run(1000)) == 12);
  CHECK(both.run(2000).batch == 0);  // there was nothing to do
  two_inputs patient;
  patient.left->add({event(15)});
  CHECK(watermark_of(patient.run(1000)) == 0);
  CHECK(patient.run(1'000'000).batch == 0);
}

TEST_CASE("a batch that is replayed later finds the same rows in the future and the same inputs idle") {
  two_inputs both;
  both.reject_future = 1min;
  both.idle_right = 30s;
  both.left->add({event(15)});
  both.right->add({event(12)});
  both.run(1000);
  both.left->add({event(1090), event(1101)});
  both.published->fails = true;
  both.run(1040);
  CHECK(both.counts->rows().empty());
  both.published->fails = false;
  // By then the silence of the right input is over, and 1101 is not far ahead any more.
  both.right->add({event(20), event(30)});
  CHECK(watermark_of(both.run(1050)) == 1090);
  REQUIRE(both.invalid->rows().size() == 1);
  CHECK(both.invalid->rows()[0].observed_time == at(1040));
  // Lateness is judged by the watermark of the batch before, 15; they close at once.
  CHECK(both.counts->rows() == std::vector<Count>{{at(10), 2}, {at(20), 1}, {at(30), 1}});
  CHECK(both.late_events->rows().empty());
}
