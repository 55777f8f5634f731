#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

// Deduplication in pipelines: what stands before and behind it, what its counts come to, and what a restart keeps.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Event {
  std::int64_t id;
  std::int64_t size;
  timestamp time;

  bool operator==(const Event&) const = default;
};
struct WindowTotal {
  timestamp window_start;
  std::int64_t rows, size;

  bool operator==(const WindowTotal&) const = default;
};

Event event(std::int64_t id, std::int64_t size, std::int64_t second) { return {id, size, {second * 1'000'000}}; }

/// One run over batches of rows: what came out, and the sums of its progress.
template <class In, class Out, class Pipeline>
struct outcome {
  std::vector<Out> rows;
  stage_counts counts;
  std::int64_t keys = 0;

  outcome(const Pipeline& pipeline, const std::vector<std::vector<In>>& batches) {
    auto source = std::make_shared<memory_source<In>>();
    auto sink = std::make_shared<memory_sink<Out>>();
    for (const auto& each : batches) source->add(each);
    profile where;
    where.trigger.kind = trigger_kind::available_now;
    where.assets["in"].made_source = source;
    where.assets["out"].made_sink = sink;
    const auto done = run(pipeline, where);
    if (!done) FAIL(done.error().message);
    rows = sink->rows();
    counts = done->steps[0].counts;
    keys = done->steps[0].state.groups;
    CHECK(accounted_for(counts) == counts.received);
  }
};
template <class Out, class In, class Pipeline>
outcome<In, Out, Pipeline> outcome_of(const Pipeline& pipeline, const std::vector<std::vector<In>>& batches) {
  return {pipeline, batches};
}

}  // namespace

TEST_CASE("a row that a deduplication gives on is counted where it ends: filtered, late or aggregated") {
  const auto pipeline = from<Event>("in") | watermark<"time">(10s) | etlantic::where(field<"size"> >= 0) |
                        deduplicate<"id", "time"> | etlantic::where(field<"size"> < 100) | tumbling<"time">(5s) |
                        aggregate<WindowTotal>(named<"rows"> = count(), named<"size"> = sum(field<"size">)) |
                        into<output_mode::append>("out");
  const auto done =
      outcome_of<WindowTotal, Event>(pipeline, {{event(1, 1, 21), event(1, 2, 21), event(2, 100, 22), event(3, -1, 40)},
                                                {event(4, 1, 31), event(4, 100, 31)},
                                                {event(5, 1, 3), event(6, 7, 60)}});
  CHECK(done.counts.received == 8);
  CHECK(done.counts.filtered == 2);  // the size below zero before it, the size of 100 behind it
  CHECK(done.counts.duplicate == 2);
  CHECK(done.counts.late == 1);  // of second 3, when the watermark is at 21
  CHECK(done.counts.kept == 3);
  CHECK(done.counts.emitted == 2);
  CHECK(done.rows == std::vector<WindowTotal>{{{20'000'000}, 1, 1}, {{30'000'000}, 1, 1}});
}

TEST_CASE("two deduplications behind each other") {
  const auto pipeline = from<Event>("in") | watermark<"time">(10s) | deduplicate<"id", "size", "time"> |
                        deduplicate_within_watermark<"id"> | into("out");
  const auto done = outcome_of<Event, Event>(
      pipeline, {{event(1, 1, 21), event(1, 1, 21), event(1, 2, 22), event(2, 1, 23)}, {event(1, 3, 24)}});
  CHECK(done.rows == std::vector<Event>{event(1, 1, 21), event(2, 1, 23)});
  CHECK(done.counts.duplicate == 3);
  CHECK(done.counts.kept == 2);
  CHECK(done.keys == 4 + 2);
}

TEST_CASE("columns that are derived before a deduplication can be keys, and are there behind it") {
  struct Bucketed {
    std::int64_t id, bucket;
    bool operator==(const Bucketed&) const = default;
  };
  const auto pipeline = from<Event>("in") | derive<"bucket">(field<"size"> * 10) |
                        deduplicate<"bucket">.keeping_every_key() | derive<"bucket">(field<"bucket"> + 1) |
                        select<Bucketed>() | into("out");
  const auto done = outcome_of<Bucketed, Event>(pipeline, {{event(1, 1, 0), event(2, 1, 0), event(3, 2, 0)}});
  CHECK(done.rows == std::vector<Bucketed>{{1, 11}, {3, 21}});
  CHECK(done.counts.duplicate == 1);
}

TEST_CASE("a row whose key cannot be computed is invalid, and is not remembered") {
  const auto pipeline =
      from<Event>("in") | derive<"wide">(field<"size"> * 10) | deduplicate<"wide">.keeping_every_key() | into("out");
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto done = outcome_of<Event, Event>(pipeline, {{event(1, most, 0), event(2, 1, 0), event(3, most, 0)}});
  CHECK(done.rows == std::vector<Event>{event(2, 1, 0)});
  CHECK(done.counts.invalid == 2);
  CHECK(done.counts.kept == 1);
  CHECK(done.keys == 1);
}

TEST_CASE("a watermark behind a deduplication follows the rows that are given on") {
  const auto pipeline = from<Event>("in") | deduplicate<"id">.keeping_every_key() | watermark<"time">(0s) |
                        tumbling<"time">(5s) |
                        aggregate<WindowTotal>(named<"rows"> = count(), named<"size"> = sum(field<"size">)) |
                        into<output_mode::append>("out");
  CHECK(outcome_of<WindowTotal, Event>(pipeline, {{event(1, 1, 1)}, {event(1, 1, 50)}}).rows.empty());
  const auto done = outcome_of<WindowTotal, Event>(pipeline, {{event(1, 1, 1)}, {event(2, 1, 50)}});
  CHECK(done.rows == std::vector<WindowTotal>{{{0}, 1, 1}});
}

TEST_CASE("a filter behind a deduplication does not hold back the watermark before it, duplicates do not either") {
  const auto pipeline = from<Event>("in") | watermark<"time">(0s) | deduplicate_within_watermark<"id"> |
                        etlantic::where(field<"size"> < 100) | into("out");
  // Batches that follow at once judge lateness by the watermark of the one before.
  const auto done = outcome_of<Event, Event>(
      pipeline, {{event(1, 1, 10)}, {event(2, 100, 20)}, {event(2, 100, 20)}, {event(3, 1, 15)}});
  CHECK(done.rows == std::vector<Event>{event(1, 1, 10)});
  CHECK(done.counts.late == 1);
  CHECK(done.counts.filtered == 1);
  const auto again =
      outcome_of<Event, Event>(pipeline, {{event(1, 1, 10), event(1, 1, 20)}, {event(1, 1, 20)}, {event(3, 1, 15)}});
  CHECK(again.counts.late == 1);
  CHECK(again.counts.duplicate == 2);
}

TEST_CASE("results of windows can be deduplicated once they are final") {
  struct Size {
    std::int64_t size;
    bool operator==(const Size&) const = default;
  };
  const auto pipeline = from<Event>("in") | watermark<"time">(0s) | tumbling<"time">(5s) |
                        aggregate<WindowTotal>(named<"rows"> = count(), named<"size"> = sum(field<"size">)) |
                        deduplicate<"size">.keeping_every_key() | select<Size>() | into("out");
  const auto done = outcome_of<Size, Event>(pipeline, {{event(1, 5, 1), event(1, 2, 6), event(1, 5, 11)},
                                                       {event(1, 0, 12)},
                                                       {event(1, 3, 7), event(1, 3, 8), event(1, 9, 100)}});
  CHECK(done.rows == std::vector<Size>{{5}, {2}});
  CHECK(done.counts.duplicate == 0);  // those are results, not rows
  CHECK(done.counts.kept == 5);
  CHECK(done.counts.late == 2);
}

TEST_CASE("results of windows are forgotten with the end of their window") {
  struct PerSize {
    std::int64_t size;
    timestamp window_end;
    bool operator==(const PerSize&) const = default;
  };
  // Two sizes come to one after they are halved; with each window that is looked at anew.
  const auto windows =
      from<Event>("in") | watermark<"time">(0s) | group_by<"size"> | tumbling<"time">(5s) | aggregate<PerSize>();
  const auto halved = windows | derive<"half">(field<"size"> - field<"size"> % 2);
  const std::vector<std::vector<Event>> batches{{event(1, 4, 1), event(1, 5, 2), event(1, 4, 6), event(1, 8, 7)},
                                                {event(1, 4, 100)}};
  const auto by_end = outcome_of<PerSize, Event>(halved | deduplicate<"half", "window_end"> | into("out"), batches);
  CHECK(by_end.rows.size() == 3);
  CHECK(by_end.keys == 1);  // the window that is still open, and no key
  const auto by_time = outcome_of<PerSize, Event>(halved | deduplicate<"half", "window_time"> | into("out"), batches);
  CHECK(by_time.rows.size() == 3);
  CHECK(by_time.keys == 1);
}

namespace {

struct UniqueOfTwo {
  input<Event> left, right;
  output<Event> rows;
};
constexpr auto implement(const UniqueOfTwo& t) {
  return union_all(t.left | watermark<"time">(2s), t.right | watermark<"time">(10s)) |
         deduplicate_within_watermark<"id">;
}
struct TwoInputs {
  extract<Event, "left"> left;
  extract<Event, "right"> right;
  step<UniqueOfTwo, "left.valid", "right.valid"> unique;
  load<Event, "out", "unique.rows"> out;
  load<late<Event>, "late", "unique.late"> late_rows;
};

}  // namespace

TEST_CASE("a key of a union is remembered for the longest delay of its streams") {
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  auto left = std::make_shared<memory_source<Event>>(), right = std::make_shared<memory_source<Event>>();
  auto out = std::make_shared<memory_sink<Event>>();
  where.assets["left"].made_source = left;
  where.assets["right"].made_source = right;
  where.assets["out"].made_sink = out;
  where.assets["late"].made_sink = std::make_shared<memory_sink<late<Event>>>();
  left->add({event(1, 1, 20)});
  right->add({event(1, 2, 21)});
  left->add({event(2, 1, 31)});
  right->add({event(3, 2, 35)});  // watermarks 29 and 25
  left->add({event(1, 3, 33)});   // remembered until 20 + 10
  right->add({event(4, 2, 42)});  // watermarks 31 and 32: forgotten by the end of the next batch
  left->add({event(1, 4, 34)});
  right->add({event(1, 5, 50)});
  left->add({event(1, 6, 40)});
  right->add({event(5, 1, 51)});
  auto running = start<TwoInputs>(where);
  REQUIRE(running.ok());
  running->await();
  REQUIRE(running->outcome().ok());
  std::vector<std::pair<std::int64_t, std::int64_t>> rows;
  for (const Event& each : out->rows()) rows.emplace_back(each.id, each.size);
  std::sort(rows.begin(), rows.end());
  CHECK(rows == std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 1}, {1, 6}, {2, 1}, {3, 2}, {4, 2}, {5, 1}});
}

TEST_CASE("FL-01: both zeros are one key, and all NaN are; null is one too") {
  struct Real {
    std::optional<double> value;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto pipeline = from<Real>("in") | deduplicate<"value">.keeping_every_key() | into("out");
  const auto done = outcome_of<Real, Real>(
      pipeline, {{{0.0}, {-0.0}, {nan}, {std::copysign(nan, -1.0)}, {std::nullopt}}, {{-0.0}, {nan}, {std::nullopt}}});
  REQUIRE(done.rows.size() == 3);
  CHECK(!std::signbit(*done.rows[0].value));  // as it came
  CHECK(done.counts.duplicate == 5);
}

namespace {

struct Timed {
  std::int64_t id;
  std::optional<timestamp> time;
  bool operator==(const Timed&) const = default;
};

}  // namespace

TEST_CASE("a row without an event time is never late") {
  const timestamp hundred{100'000'000};
  const std::vector<std::vector<Timed>> batches{
      {{1, hundred}, {2, std::nullopt}}, {{2, std::nullopt}}, {{2, std::nullopt}}};
  const auto stream = from<Timed>("in") | watermark<"time">(10s);
  // With the time in the key, its key is never forgotten.
  const auto with_time = outcome_of<Timed, Timed>(stream | deduplicate<"id", "time"> | into("out"), batches);
  CHECK(with_time.rows == std::vector<Timed>{{1, hundred}, {2, std::nullopt}});
  CHECK(with_time.counts.duplicate == 2);
  CHECK(with_time.keys == 2);
  // Within the watermark it is forgotten like one of time 0: by the end of the batch, here.
  const auto within = outcome_of<Timed, Timed>(stream | deduplicate_within_watermark<"id"> | into("out"), batches);
  CHECK(within.counts.late == 0);
  CHECK(within.rows == std::vector<Timed>{{1, hundred}, {2, std::nullopt}, {2, std::nullopt}});
  CHECK(within.counts.duplicate == 1);
  CHECK(within.keys == 1);
}

namespace {

struct Short {
  text key;
  timestamp time;
};
struct Long {
  text key;
  timestamp time;
  std::optional<text> payload;
};

}  // namespace

TEST_CASE("DED-08: a restart with a column outside the key goes on with the keys that it had") {
  namespace files = std::filesystem;
  const files::path folder = files::temp_directory_path() / ("etlantic-dedup-columns-" + std::to_string(getpid()));
  files::remove_all(folder);
  profile where;
  where.checkpoint = folder.string();
  where.trigger.kind = trigger_kind::available_now;
  auto lines = std::make_shared<memory_lines_source>();
  where.assets["in"].made_source = lines;
  const auto run_with = [&](auto pipeline, auto sink) {
    where.assets["out"].made_sink = sink;
    const auto done = run(pipeline, where);
    if (!done) FAIL(done.error().message << " " << done.error().where);
    return sink->rows();
  };
  const auto step = deduplicate<"key">.keeping_every_key();
  lines->add({R"({"key":"a","time":"1970-01-01T00:00:01Z"})", R"({"key":"b","time":"1970-01-01T00:00:03Z"})"});
  const auto first =
      run_with(from<Short>("in") | watermark<"time">(10s) | step | into("out"), std::make_shared<memory_sink<Short>>());
  CHECK(first.size() == 2);
  lines->add({R"({"key":"a","time":"1970-01-01T00:00:05Z","payload":"a"})",
              R"({"key":"c","time":"1970-01-01T00:00:09Z","payload":"c"})"});
  const auto second =
      run_with(from<Long>("in") | watermark<"time">(10s) | step | into("out"), std::make_shared<memory_sink<Long>>());
  REQUIRE(second.size() == 1);
  CHECK(second[0].key == text("c"));
  CHECK(second[0].payload == text("c"));
  files::remove_all(folder);
}

TEST_CASE("the saved keys of a deduplication that are cut short or changed are refused or read, never more") {
  const auto make = [] {
    const auto pipeline = from<Event>("in") | watermark<"time">(10s) | deduplicate<"id", "time"> | into("out");
    return lower_stage(etlantic::detail::as_port_stream(pipeline.chain), stage_place{.step = "unique"});
  };
  struct ignored final : stage_outputs {
    result<void> emit(std::size_t, const block&) override { return {}; }
  } nowhere;
  auto work = make();
  work->begin({});
  block rows(schema_of<Event>());
  for (std::int64_t i = 1; i <= 20; ++i) append_row(rows, event(i, 0, i));
  REQUIRE(work->process(0, rows, nowhere).ok());
  state_writer saved;
  work->save(saved);
  const std::string whole(saved.bytes());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    state_reader from(std::string_view(whole).substr(0, size));
    const auto done = make()->restore(from);
    REQUIRE(!done.ok());
    CHECK(done.error().code == "PMSTREAM483");
    CHECK(done.error().where == "unique");
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    state_reader from(damaged);
    auto other = make();
    if (!other->restore(from)) continue;
    other->begin({});
    REQUIRE(other->process(0, rows, nowhere).ok());
    REQUIRE(other->finish(nowhere).ok());
    CHECK(accounted_for(other->counts()) == 20);
  }
}

TEST_CASE("a plan says what a deduplication compares and when it forgets") {
  const auto plan = [](const auto& step) {
    return lower(from<Event>("in") | watermark<"time">(10s) | step | into("out"));
  };
  const auto made = plan(deduplicate<"id", "time">);
  REQUIRE(made.ok());
  const program_node& node = made->nodes[1];
  REQUIRE(node.operators.size() == 2);
  CHECK(node.operators[1].name == "deduplicate");
  CHECK(node.operators[1].settings[0].value == "id, time");
  CHECK(node.operators[1].settings[1].value == "when the watermark reaches their time");
  CHECK(node.state_schema == "deduplicate id int64, time timestamp, forgotten when the watermark reaches their time");
  REQUIRE(node.outputs.size() == 3);
  CHECK(node.outputs[2].name == "late");
  const std::string warning = "transform remembers every key (id) of a deduplication for good: its state grows";
  const auto warns = [&](const program& of) {
    return std::count(of.warnings.begin(), of.warnings.end(), warning) == 1;
  };
  CHECK(!warns(*made));
  CHECK(!warns(*plan(deduplicate_within_watermark<"id">)));
  CHECK(warns(*plan(deduplicate<"id">.keeping_every_key())));  // DED-04
  CHECK(plan(deduplicate_within_watermark<"id">)->nodes[1].state_schema ==
        "deduplicate id int64, forgotten one delay behind their first row");
  CHECK(plan(deduplicate<"id">.keeping_every_key())->nodes[1].state_schema == "deduplicate id int64, forgotten never");
}
