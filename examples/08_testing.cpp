// The four kinds of tests that a pipeline wants: of its contract, of its results, of crashes, and of being the same.
// Here without a test framework; with Catch2 or doctest, CHECK takes the place of `check`.
// ctest:

#include <etlantic/testing.hpp>

#include <cstdio>
using namespace etlantic;  // examples only
using namespace std::chrono_literals;

// ---- what is tested, in a program of its own header ----

struct Reading {
  text sensor;
  checked<double, ge<-90>, le<60>> celsius;
  timestamp time;
};

struct SensorHour {
  text sensor;
  timestamp window_start, window_end;
  std::int64_t readings;
  double warmest;
  using key = primary_key<"sensor", "window_start", "window_end">;
};

struct SummarizeReadings {
  input<Reading> readings;
  output<SensorHour> hours;
};
constexpr auto implement(const SummarizeReadings& t) {
  return t.readings | watermark<"time">(10min) | group_by<"sensor"> | tumbling<"time">(1h)
       | aggregate<SensorHour>(named<"readings"> = count(), named<"warmest"> = max(field<"celsius">));
}

struct Sensors {
  extract<Reading, "readings"> readings;
  step<SummarizeReadings, "readings.valid"> summarize;
  load<SensorHour, "sensor_hours", "summarize.hours"> hours;
  load<rejected<Reading>, "rejected_readings", "readings.invalid"> quarantine;
  load<late<Reading>, "late_readings", "summarize.late"> late_readings;
};

// ---- the tests ----

using namespace etlantic::test_kit;

int failures = 0;
template <class Answer>
void check(const Answer& answer) {
  if (answer) return;
  ++failures;
  std::printf("%s\n", answer.text().c_str());
}

const Reading early{"roof", 21.5, at("2026-03-01T10:05:00Z")};
const Reading warm{"roof", 23.0, at("2026-03-01T10:50:00Z")};
const Reading later{"roof", 19.0, at("2026-03-01T11:30:00Z")};
const SensorHour ten{"roof", at("2026-03-01T10:00:00Z"), at("2026-03-01T11:00:00Z"), 2, 23.0};
const SensorHour eleven{"roof", at("2026-03-01T11:00:00Z"), at("2026-03-01T12:00:00Z"), 1, 19.0};

void the_contract_takes_what_it_should() {
  check(expect_valid<Reading>(R"({"sensor": "roof", "celsius": -3.5, "time": "2026-03-01T10:00:00Z"})"));
  check(expect_invalid<Reading>(R"({"sensor": "roof", "celsius": 451})", "celsius=constraint;time=missing"));
}

void the_pipeline_computes_what_it_should() {
  pipeline_test<Sensors> test;
  test.add_events("readings", std::vector{early, warm});
  test.add_raw("readings", {R"({"sensor": "roof", "celsius": "hot", "time": "2026-03-01T10:00:00Z"})"});
  check(test.process_all_available());
  check(test.expect_table("sensor_hours", std::vector{ten}));
  check(test.expect_quarantine("rejected_readings", {{"celsius", "wrong_type"}}));
  check(test.expect_counts("readings", {.read = 3, .valid = 2, .invalid = 1}));

  check(test.advance_watermark(at("2026-03-01T11:00:00Z")));
  check(test.expect_state("summarize", {.windows = 0}));
  test.add_events("readings", std::vector{early});
  check(test.process_all_available());
  check(test.expect_late("late_readings", std::vector{early}));
}

void a_crash_changes_nothing() {
  for (const boundary each : all_boundaries) {
    pipeline_test<Sensors> test;
    test.add_events("readings", std::vector{early, warm});
    test.add_events("readings", std::vector{later});
    test.fail_at(each);
    while (!test.process_all_available()) check(test.restart());
    check(test.expect_table("sensor_hours", std::vector{ten, eleven}));
    check(test.replay_batch(0));  // the same rows again, and no table takes them
    check(test.expect_table("sensor_hours", std::vector{ten, eleven}));
  }
}

void batches_and_a_stream_come_to_the_same() {
  pipeline_test<Sensors> at_once, one_by_one;
  for (auto* each : {&at_once, &one_by_one}) each->add_events("readings", std::vector{early, warm, later});
  one_by_one.cut_batches("readings", 1);
  check(at_once.process_all_available());
  check(one_by_one.process_all_available());
  check(one_by_one.expect_same_tables(at_once));
}

int main() {
  the_contract_takes_what_it_should();
  the_pipeline_computes_what_it_should();
  a_crash_changes_nothing();
  batches_and_a_stream_come_to_the_same();
  return failures == 0 ? 0 : 1;
}
