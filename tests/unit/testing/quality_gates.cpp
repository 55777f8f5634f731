#include "support/catch.hpp"

#include <etlantic/runtime/quality_judge.hpp>
#include <etlantic/testing.hpp>

// Quality gates of a profile: what each metric counts, what each outcome does, and that a replay comes to the same
// verdict. Expected values are by hand.

using namespace etlantic;
using namespace etlantic::test_kit;
using namespace std::chrono_literals;

namespace {

struct Event {
  checked<std::int64_t, gt<0>> id;
  std::optional<text> customer;
  timestamp time;
};
struct Hour {
  timestamp window_start, window_end;
  std::int64_t events;
  using key = primary_key<"window_start", "window_end">;
};
struct CountEvents {
  input<Event> events;
  output<Hour> result;
};
constexpr auto implement(const CountEvents& t) {
  return t.events | watermark<"time">(10min) | tumbling<"time">(1h) | aggregate<Hour>(named<"events"> = count());
}
struct Gated {
  extract<Event, "events"> events;
  step<CountEvents, "events.valid"> count;
  load<Event, "kept", "events.valid"> kept;
  load<Hour, "hours", "count.result"> hours;
  load<rejected<Event>, "rejected", "events.invalid"> quarantine;
};

struct CustomerHour {
  std::int64_t id;
  timestamp window_start, window_end;
  std::optional<timestamp> latest;
  std::int64_t events;
  using key = primary_key<"id", "window_start", "window_end">;
};
struct CountById {
  input<Event> events;
  output<CustomerHour> result;
};
constexpr auto implement(const CountById& t) {
  return t.events | watermark<"time">(10min) | group_by<"id"> | tumbling<"time">(1h) |
         aggregate<CustomerHour>(named<"events"> = count(), named<"latest"> = max(field<"time">));
}
struct Closed {
  extract<Event, "events"> events;
  step<CountById, "events.valid"> count;
  load<CustomerHour, "closed", "count.result", target::append_only> closed;
  load<Event, "kept", "events.valid"> kept;
};

const timestamp noon = at("2026-03-01T12:00:00Z");

Event event(std::int64_t id, const char* customer = "a", duration age = 0s) {
  return {{id}, customer == nullptr ? std::nullopt : std::optional(text(customer)), noon - age};
}
quality_gate gate(quality_metric metric, std::optional<double> at_least, std::optional<double> at_most,
                  gate_outcome otherwise, std::vector<std::string> fields = {}) {
  quality_gate made{.name = "gate", .of = "events", .metric = metric};
  made.fields = std::move(fields);
  made.at_least = at_least;
  made.at_most = at_most;
  made.otherwise = otherwise;
  return made;
}

using gated_test = pipeline_test<Gated>;

void add_gate(gated_test& test, quality_gate what) {
  test.set_clock(noon);
  test.settings().quality = {std::move(what)};
}
/// What the only gate said of each batch that it judged.
std::vector<gate_result> results_of(const run_outcome& ran) {
  std::vector<gate_result> found;
  for (const progress& each : ran.batches())
    for (const gate_result& result : each.quality) found.push_back(result);
  return found;
}
/// The value that one batch of rows gives, and whether the gate holds.
std::pair<double, bool> verdict_on(quality_gate what, const std::vector<Event>& rows,
                                   std::vector<std::string> lines = {}) {
  gated_test test;
  add_gate(test, std::move(what));
  if (!lines.empty())
    test.add_raw("events", std::move(lines));
  else
    test.add_events("events", rows);
  const run_outcome ran = test.process_all_available();
  REQUIRE(ran);
  REQUIRE(results_of(ran).size() == 1);
  return {results_of(ran)[0].value, results_of(ran)[0].holds};
}

constexpr auto warn = gate_outcome::warn;
const std::string right_line = R"({"id":1,"customer":"a","time":"2026-03-01T12:00:00Z"})";

}  // namespace

TEST_CASE("each metric counts what its name says, and a bound that is met holds") {
  using verdict = std::pair<double, bool>;
  using metric = quality_metric;
  const std::vector<std::string> lines{right_line, "no json", right_line, right_line};
  CHECK(verdict_on(gate(metric::invalid_share, {}, 0.25, warn), {}, lines) == verdict{0.25, true});
  CHECK(verdict_on(gate(metric::invalid_share, {}, 0.24, warn), {}, lines) == verdict{0.25, false});

  const std::vector<Event> rows{event(1), event(2, nullptr), event(1, "b", 1min), event(1, "a", 90s), event(3)};
  CHECK(verdict_on(gate(metric::completeness, 0.8, {}, warn, {"customer"}), rows) == verdict{0.8, true});
  CHECK(verdict_on(gate(metric::completeness, 0.81, {}, warn, {"customer"}), rows) == verdict{0.8, false});
  CHECK(verdict_on(gate(metric::duplicate_share, {}, 0.4, warn, {"id"}), rows) == verdict{0.4, true});
  CHECK(verdict_on(gate(metric::duplicate_share, {}, 0.1, warn, {"id", "customer"}), rows) == verdict{0.2, false});
  CHECK(verdict_on(gate(metric::row_count, 5, 5, warn), rows) == verdict{5, true});
  CHECK(verdict_on(gate(metric::row_count, 6, {}, warn), rows) == verdict{5, false});
  CHECK(verdict_on(gate(metric::row_count, {}, 4, warn), rows) == verdict{5, false});
  CHECK(verdict_on(gate(metric::row_count, 4, 4, warn), {}, lines) == verdict{4, true});  // invalid ones, too

  const std::vector<Event> old{event(1, "a", 90s), event(2, "a", 60s), event(3, "a", 2h)};
  CHECK(verdict_on(gate(metric::freshness, {}, 60, warn), old) == verdict{60, true});
  CHECK(verdict_on(gate(metric::freshness, {}, 59, warn, {"time"}), old) == verdict{60, false});
}

TEST_CASE("a gate of a load judges what the batch publishes, and a batch without such rows is not judged") {
  gated_test test;
  quality_gate each = gate(quality_metric::row_count, 2, {}, warn);
  each.of = "hours";
  add_gate(test, each);
  test.add_events("events", std::vector{event(1), event(2, "a", 1h), event(3, "a", 1h)});
  const run_outcome ran = test.process_all_available();
  REQUIRE(ran);
  REQUIRE(results_of(ran).size() == 1);
  CHECK(results_of(ran)[0].value == 2);
  CHECK(results_of(ran)[0].holds);
  test.add_events("events", std::vector{event(4)});
  const run_outcome next = test.process_all_available();
  CHECK_FALSE(results_of(next).at(0).holds);
  CHECK(next.warnings() ==
        std::vector<std::string>{"quality gate 'gate' of 'hours' does not hold: row_count is 1 over 1 "
                                 "rows of the batch, must be at least 2"});
}

TEST_CASE("continue records, and warn says it too; both publish") {
  for (const gate_outcome outcome : {gate_outcome::proceed, gate_outcome::warn}) {
    gated_test test;
    add_gate(test, gate(quality_metric::completeness, 1, {}, outcome, {"customer"}));
    test.add_events("events", std::vector{event(1), event(2, nullptr)});
    const run_outcome ran = test.process_all_available();
    REQUIRE(ran);
    CHECK_FALSE(results_of(ran).at(0).holds);
    CHECK(results_of(ran).at(0).otherwise == outcome);
    CHECK(test.rows<Event>("kept").size() == 2);
    if (outcome == gate_outcome::proceed)
      CHECK(ran.warnings().empty());
    else
      CHECK(ran.warnings() == std::vector<std::string>{"quality gate 'gate' of 'events' does not hold: completeness is "
                                                       "50% over 2 rows of the batch, must be at least 100%"});
  }
}

TEST_CASE(
    "fail publishes nothing, and the next start judges the same batch to the same verdict, until the gate allows it") {
  gated_test test;
  add_gate(test, gate(quality_metric::freshness, {}, 60, gate_outcome::fail));
  test.add_events("events", std::vector{event(1, "a", 30s)});
  CHECK(test.process_all_available());
  test.add_events("events", std::vector{event(2, "a", 90s)});
  const run_outcome failed = test.process_all_available();
  CHECK(failed.code() == "PMSTREAM416");
  CHECK(failed.text().find("quality gate 'gate' of 'events' does not hold: freshness is 90 s over 1 rows of the batch, "
                           "must be at most 60 s") != std::string::npos);
  CHECK(failed.text().find("Batch 2 is planned: the next start replays exactly that batch.") != std::string::npos);
  CHECK(test.rows<Event>("kept").size() == 1);
  // The clock goes on, the verdict does not: it is of the time at which the batch was planned.
  test.advance_clock(24h);
  for (int again = 0; again < 2; ++again) {
    CHECK(test.restart());
    const run_outcome replayed = test.process_all_available();
    CHECK(replayed.text() == failed.text());
    CHECK(test.rows<Event>("kept").size() == 1);
  }
  test.settings().accepted_batch = 2;  // is not for gates that fail
  CHECK(test.restart());
  CHECK(test.process_all_available().code() == "PMSTREAM416");
  test.settings().quality[0].at_most = 90;
  CHECK(test.restart());
  CHECK(test.process_all_available());
  CHECK(test.rows<Event>("kept").size() == 2);
}

TEST_CASE("pause publishes nothing until somebody accepts the batch") {
  gated_test test;
  add_gate(test, gate(quality_metric::row_count, 2, {}, gate_outcome::pause));
  test.add_events("events", std::vector{event(1)});
  const run_outcome paused = test.process_all_available();
  CHECK(paused.code() == "PMSTREAM417");
  CHECK(paused.text().find("PMSTREAM417: paused: quality gate 'gate' of 'events'") == 0);
  CHECK(paused.text().find("run with --accept-batch 0") != std::string::npos);
  CHECK(test.rows<Event>("kept").empty());
  test.settings().accepted_batch = 0;
  CHECK(test.restart());
  const run_outcome accepted = test.process_all_available();
  REQUIRE(accepted);
  CHECK(test.rows<Event>("kept").size() == 1);
  CHECK(accepted.warnings().at(0).find("; the batch was accepted") != std::string::npos);
  test.add_events("events", std::vector{event(2)});
  CHECK(test.process_all_available().code() == "PMSTREAM417");  // the next one was not
}

TEST_CASE("a gate of a load fails before the first load publishes") {
  gated_test test;
  quality_gate each = gate(quality_metric::row_count, {}, 0, gate_outcome::fail);
  each.of = "rejected";
  add_gate(test, each);
  test.add_raw("events", {right_line, "no json"});
  CHECK(test.process_all_available().code() == "PMSTREAM416");
  CHECK(test.rows<Event>("kept").empty());
}

TEST_CASE("quarantine over each event takes the rows that fail, and no step sees them") {
  gated_test test;
  quality_gate each = gate(quality_metric::duplicate_share, {}, {}, gate_outcome::quarantine, {"id"});
  each.scope = gate_scope::event;
  add_gate(test, each);
  each = gate(quality_metric::completeness, {}, {}, gate_outcome::quarantine, {"customer"});
  each.scope = gate_scope::event;
  each.name = "complete";
  test.settings().quality.push_back(each);
  test.add_events("events", std::vector{event(1), event(2, nullptr), event(1), event(3), event(3, nullptr)});
  test.add_events("events", std::vector{event(1)});
  const run_outcome ran = test.process_all_available();
  REQUIRE(ran);
  CHECK(test.expect_table("kept", std::vector{event(1), event(3), event(1)}));
  CHECK(test.expect_table("hours", std::vector<Hour>{{noon, noon + 1h, 3}}));
  CHECK(test.expect_quarantine(
      "rejected", {{"customer", "quality", R"({"id":2,"customer":null,"time":"2026-03-01T12:00:00.000000Z"})"},
                   {"id", "quality"},
                   {"id", "quality"}}));
  const auto rejected_rows = test.rows<rejected<Event>>("rejected");
  CHECK(rejected_rows[0].code == text("PMSTREAM203"));
  CHECK(rejected_rows[0].violations == text("complete=completeness"));
  CHECK(rejected_rows[0].position == 1);
  CHECK(test.expect_counts("events", {.read = 6, .valid = 3, .invalid = 3}));
  CHECK(test.expect_counts("count", {.received = 3}));
  CHECK(test.replay_batch(0));
}

TEST_CASE("freshness over each event is the age of the row when its batch was planned") {
  gated_test test;
  quality_gate each = gate(quality_metric::freshness, {}, 60, gate_outcome::quarantine);
  each.scope = gate_scope::event;
  add_gate(test, each);
  test.add_events("events", std::vector{event(1, "a", 60s), event(2, "a", 61s)});
  CHECK(test.process_all_available());
  CHECK(test.expect_table("kept", std::vector{event(1, "a", 60s)}));
}

TEST_CASE("quarantine over a batch takes all of its valid rows") {
  gated_test test;
  add_gate(test, gate(quality_metric::invalid_share, {}, 0.3, gate_outcome::quarantine));
  test.add_raw("events", {right_line, "no json", right_line});
  test.add_raw("events", {right_line, right_line, right_line, "no json"});
  const run_outcome ran = test.process_all_available();
  REQUIRE(ran);
  CHECK(test.rows<Event>("kept").size() == 3);
  CHECK(test.expect_quarantine("rejected", {{"", "malformed"}, {"", "quality"}, {"", "quality"}, {"", "malformed"}}));
  const auto rejected_rows = test.rows<rejected<Event>>("rejected");
  CHECK(rejected_rows[0].contract == rejected_rows[1].contract);  // one by the decoder, one by the gate
  CHECK(rejected_rows[0].pipeline == rejected_rows[1].pipeline);
  CHECK(rejected_rows[0].split == rejected_rows[1].split);
  CHECK(test.expect_counts("events", {.read = 7, .valid = 3, .invalid = 4}));
  CHECK(ran.warnings().at(0).find("; all rows of the batch go to quarantine") != std::string::npos);
  CHECK(test.replay_batch(0));
  CHECK(test.replay_batch(1));
}

TEST_CASE("a rolling gate remembers batches over restarts, and a replay sees the past that the batch had") {
  gated_test test;
  quality_gate each = gate(quality_metric::invalid_share, {}, 0.5, gate_outcome::fail);
  each.batches = 3;
  add_gate(test, each);
  std::vector<double> values;
  const auto run_batch_of = [&](std::vector<std::string> lines) {
    test.add_raw("events", std::move(lines));
    const run_outcome ran = test.process_all_available();
    for (const gate_result& found : results_of(ran)) values.push_back(found.value);
    return ran;
  };
  CHECK(run_batch_of({right_line, right_line, right_line, right_line}));
  CHECK(run_batch_of({"x", "x"}));
  CHECK(test.restart());
  CHECK(run_batch_of({"x", "x"}));
  // Without the four right ones of the first batch: 4 of 5.
  const run_outcome failed = run_batch_of({right_line});
  CHECK(failed.code() == "PMSTREAM416");
  CHECK(failed.text().find("invalid_share is 80% over 5 rows of up to 3 batches") != std::string::npos);
  CHECK(values == std::vector<double>{0, 2.0 / 6, 4.0 / 8});
  CHECK(test.restart());
  CHECK(test.process_all_available().text() == failed.text());
  test.settings().quality[0].at_most = 0.8;
  CHECK(test.restart());
  CHECK(test.process_all_available());
}

TEST_CASE("a gate over a time forgets batches that were planned before it") {
  gated_test test;
  quality_gate each = gate(quality_metric::row_count, {}, 3, warn);
  each.scope = gate_scope::time;
  each.time = 1h;
  add_gate(test, each);
  std::vector<double> values;
  for (int batch = 0; batch < 4; ++batch) {
    test.add_events("events", std::vector{event(1), event(2)});
    const run_outcome ran = test.process_all_available();
    for (const gate_result& found : results_of(ran)) values.push_back(found.value);
    test.advance_clock(30min);
  }
  CHECK(values == std::vector<double>{2, 4, 4, 4});  // what is an hour old is not in the hour
}

TEST_CASE("a gate over windows judges each window that a batch closes by itself") {
  // 9 to 10: ids 1 and 2. 10 to 11: 1. 11 to 12: 1, 2 and 3. All of them close at 12:30 in the second batch.
  const auto row = [](std::int64_t id, const char* time) { return Event{{id}, text("a"), at(time)}; };
  const std::vector<Event> first{row(1, "2026-03-01T09:10:00Z"), row(2, "2026-03-01T09:20:00Z")};
  const std::vector<Event> second{row(1, "2026-03-01T10:00:00Z"), row(1, "2026-03-01T11:00:00Z"),
                                  row(2, "2026-03-01T11:00:00Z"), row(3, "2026-03-01T11:59:00Z"),
                                  row(1, "2026-03-01T12:30:00Z")};
  const auto verdict = [&](quality_gate each) {
    pipeline_test<Closed> test;
    test.set_clock(at("2026-03-01T13:00:00Z"));
    each.of = "closed";
    each.scope = gate_scope::window;
    test.settings().quality = {each};
    test.add_events("events", first);
    test.add_events("events", second);
    return test.process_all_available();
  };
  using metric = quality_metric;
  const run_outcome few = verdict(gate(metric::row_count, 2, {}, warn));
  REQUIRE(results_of(few).size() == 1);
  CHECK(results_of(few)[0].value == 1);
  CHECK(results_of(few)[0].rows == 1);
  CHECK(results_of(few)[0].window == at("2026-03-01T10:00:00Z"));
  CHECK(few.warnings() ==
        std::vector<std::string>{"quality gate 'gate' of 'closed' does not hold: row_count is 1 over 1 rows "
                                 "of the window of 2026-03-01T10:00:00.000000Z, must be at least 2"});
  const run_outcome enough = verdict(gate(metric::row_count, 1, 3, warn));
  CHECK(results_of(enough).at(0).holds);
  CHECK(results_of(enough)[0].value == 3);
  CHECK(results_of(enough)[0].window == at("2026-03-01T11:00:00Z"));
  // Of six rows three have an id that came before, of each window none.
  CHECK(results_of(verdict(gate(metric::duplicate_share, {}, 0, warn, {"id"}))).at(0).holds);
  CHECK(results_of(verdict(gate(metric::completeness, 1, {}, warn, {"latest"}))).at(0).holds);
  // At one o'clock the newest row of the first window is 3 h 40 min old.
  const run_outcome old = verdict(gate(metric::freshness, {}, 3 * 3600 + 2399, warn, {"latest"}));
  CHECK_FALSE(results_of(old).at(0).holds);
  CHECK(results_of(old)[0].window == at("2026-03-01T09:00:00Z"));
  CHECK(results_of(old)[0].value == 3 * 3600 + 2400);
  CHECK(results_of(verdict(gate(metric::freshness, {}, 3 * 3600 + 2400, warn, {"latest"}))).at(0).holds);
}

TEST_CASE("a window that fails its gate is not published, and a restart comes to the same verdict") {
  pipeline_test<Closed> test;
  quality_gate each = gate(quality_metric::row_count, 2, {}, gate_outcome::fail);
  each.of = "closed";
  each.scope = gate_scope::window;
  test.settings().quality = {each};
  test.add_events("events", std::vector{event(1, "a", 3h), event(1)});
  const run_outcome failed = test.process_all_available();
  CHECK(failed.code() == "PMSTREAM416");
  CHECK(test.rows<CustomerHour>("closed").empty());
  CHECK(test.rows<Event>("kept").size() == 2);  // of the batch before, which closes no window
  CHECK(test.restart());
  CHECK(test.process_all_available().text() == failed.text());
  test.settings().quality[0].at_least = 1;
  CHECK(test.restart());
  CHECK(test.process_all_available());
  CHECK(test.rows<CustomerHour>("closed").size() == 1);
}

TEST_CASE("crashes with gates in force change nothing") {
  for (const boundary each : all_boundaries) {
    INFO(name_of(each));
    gated_test test;
    quality_gate rolling = gate(quality_metric::invalid_share, {}, 0.4, gate_outcome::quarantine);
    rolling.batches = 2;
    add_gate(test, rolling);
    test.add_raw("events", {right_line, right_line, right_line});
    test.add_raw("events", {right_line, "x", "x"});  // 2 of 6
    test.add_raw("events", {right_line, "x", "x"});  // 4 of 6
    CHECK(test.run_batch(0));
    test.fail_at(each);
    while (!test.process_all_available()) CHECK(test.restart());
    CHECK(test.rows<Event>("kept").size() == 4);
    CHECK(test.rows<rejected<Event>>("rejected").size() == 5);
  }
}

TEST_CASE("what gates remember is read as it was written, and a damaged section is a failure") {
  profile where;
  quality_gate each = gate(quality_metric::invalid_share, {}, 1, warn);
  each.batches = 5;
  where.quality = {each};
  const program what = *lower<Gated>();
  // Version 1: gates; identity; measures: batch, planned at, rows, counted, newest.
  state_writer golden;
  golden.put(std::uint32_t{1});
  golden.put(std::uint64_t{1});
  golden.put_text("gate\nevents\ninvalid_share");
  golden.put(std::uint64_t{1});
  for (const std::int64_t number : {7, 1'000'000, 10, 3}) golden.put(number);
  golden.put(std::numeric_limits<std::int64_t>::min());
  quality_judge judge;
  REQUIRE(judge.watch(what, where));
  REQUIRE(judge.restore(golden.bytes()));
  state_writer again;
  judge.save(again);
  CHECK(again.bytes() == golden.bytes());
  progress into;
  plan_record next;
  next.batch = 8;
  judge.begin(next, -1);
  judge.count_invalid(0, 2);
  REQUIRE(judge.judge(0, into));
  CHECK(into.quality.at(0).value == 5.0 / 12);

  for (std::size_t size = 0; size < golden.bytes().size(); ++size)
    CHECK_FALSE(quality_judge().restore(golden.bytes().substr(0, size)));
  state_writer newer;
  newer.put(std::uint32_t{2});
  CHECK(judge.restore(newer.bytes()).error().message == "what the quality gates remember was written in version 2");
}

TEST_CASE("a gate that cannot be judged is refused before the first batch") {
  const auto refused = [](quality_gate what) {
    gated_test test;
    add_gate(test, std::move(what));
    const run_outcome opened = test.restart();
    REQUIRE_FALSE(opened);
    CHECK(opened.code() == "PMCFG360");
    return opened.ended().error().message;
  };
  using metric = quality_metric;
  quality_gate elsewhere = gate(metric::row_count, 1, {}, warn);
  elsewhere.of = "event";
  CHECK(refused(elsewhere) == "quality gate 'gate': the pipeline has no asset \"event\"");
  CHECK(refused(gate(metric::completeness, 1, {}, warn, {"name"})) ==
        "quality gate 'gate': Event has no field \"name\"");
  CHECK(refused(gate(metric::completeness, 1, {}, warn, {"id"})) ==
        "quality gate 'gate': \"id\" cannot be null, so that it is always complete");
  CHECK(refused(gate(metric::completeness, 1, {}, warn)) == "quality gate 'gate': completeness needs one field");
  CHECK(refused(gate(metric::freshness, {}, 1, warn, {"id"})) == "quality gate 'gate': \"id\" is no time");
  CHECK(refused(gate(metric::duplicate_share, {}, 1, warn)) ==
        "quality gate 'gate': duplicate_share needs the field that tells rows apart");
  CHECK(refused(gate(metric::row_count, 1, {}, warn, {"id"})) ==
        "quality gate 'gate': row_count is of whole rows and takes no field");
  CHECK(refused(gate(metric::row_count, {}, {}, warn)) == "quality gate 'gate': the gate has no bound");
  CHECK(refused(gate(metric::row_count, 2, 1, warn)) ==
        "quality gate 'gate': at_least is greater than at_most, so that nothing can hold");
  quality_gate of_load = gate(metric::invalid_share, {}, 1, warn);
  of_load.of = "kept";
  CHECK(refused(of_load) == "quality gate 'gate': \"kept\" is published, and only what is read can be invalid");
  of_load = gate(metric::row_count, {}, 1, gate_outcome::quarantine);
  of_load.of = "kept";
  CHECK(refused(of_load) == "quality gate 'gate': \"kept\" is published, and only what is read goes to quarantine");
  quality_gate of_windows = gate(metric::row_count, {}, 1, warn);
  of_windows.scope = gate_scope::window;
  CHECK(refused(of_windows) == "quality gate 'gate': \"events\" is read, and only results have windows");
  of_windows.of = "kept";
  CHECK(refused(of_windows) == "quality gate 'gate': \"kept\" has no field window_start");
  of_windows.of = "hours";
  CHECK(refused(of_windows) ==
        "quality gate 'gate': \"hours\" gets the results of a window again whenever they change (update)");
  quality_gate of_events = gate(metric::row_count, {}, 1, warn);
  of_events.scope = gate_scope::event;
  CHECK(refused(of_events) == "quality gate 'gate': row_count is not of one row");
}
