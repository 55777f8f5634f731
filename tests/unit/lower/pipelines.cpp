#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>

// Pipelines from their text to their results, over rows in memory.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Order {
  std::int64_t id;
  decimal<10, 2> gross, tax;
  std::optional<text> note;
  timestamp time;
  std::vector<text> tags;
};

struct Net {
  std::int64_t id;
  decimal<12, 2> net;
  std::vector<text> tags;
};

struct Total {
  decimal<38, 2> total;
  std::int64_t orders;
};

profile in_memory(std::shared_ptr<source> from) {
  profile made;
  made.trigger.kind = trigger_kind::available_now;
  made.assets["orders"].made_source = std::move(from);
  return made;
}

Order order(std::int64_t id, const char* gross, const char* tax, std::int64_t second = 0) {
  return {id, decimal<10, 2>(gross), decimal<10, 2>(tax), std::nullopt, {second * 1'000'000}, {text("t")}};
}

// Splits orders by size; two outputs and a parameter.
struct SplitOrders {
  input<Order> orders;
  parameter<std::int64_t> limit{100};
  output<Order> large;
  output<Net> small;
};
constexpr auto implement(const SplitOrders& t) {
  return outputs(named<"large"> = t.orders | etlantic::where(field<"gross"> >= t.limit),
                 named<"small"> = t.orders | etlantic::where(field<"gross"> < t.limit) |
                                  select<Net>(named<"net"> = field<"gross"> - field<"tax">));
}

struct SumLarge {
  input<Order> orders;
  output<Total> totals;
};
constexpr auto implement(const SumLarge& t) {
  return t.orders | aggregate<Total>(named<"total"> = sum(field<"gross">), named<"orders"> = count());
}

struct Shop {
  extract<Order, "orders"> orders;
  step<SplitOrders, "orders.valid"> split;
  load<Net, "small_orders", "split.small"> small;
  step<SumLarge, "split.large"> sum_large;
  load<Total, "totals", "sum_large.totals", output_mode::complete> totals;
};

}  // namespace

TEST_CASE("a step with two outputs feeds a load and another step; edges may refer forward") {
  auto source = std::make_shared<memory_source<Order>>();
  source->add({order(1, "99.99", "9.99"), order(2, "100.00", "10"), order(3, "500.50", "0")});
  auto small = std::make_shared<memory_sink<Net>>();
  auto totals = std::make_shared<memory_sink<Total>>();
  profile where = in_memory(source);
  where.assets["small_orders"].made_sink = small;
  where.assets["totals"].made_sink = totals;
  const auto done = run(Shop{}, where);
  INFO((done ? "" : done.error().message + " " + done.error().where));
  REQUIRE(done.ok());
  REQUIRE(small->rows().size() == 1);
  CHECK(small->rows()[0].id == 1);
  CHECK(small->rows()[0].net == decimal<12, 2>("90.00"));
  CHECK(small->rows()[0].tags == std::vector<text>{text("t")});
  REQUIRE(totals->rows().size() == 1);
  CHECK(totals->rows()[0].total == decimal<38, 2>("600.50"));
  CHECK(totals->rows()[0].orders == 2);
}

TEST_CASE("parameters given to a pipeline reach its implementation and its plan") {
  Shop shop{};
  shop.split.with.limit = {1000};
  const program lowered = *lower(shop);
  CHECK(lowered.find("split")->parameters.at(0).value == "1000");
  CHECK(lowered.find("split")->operators.at(0).settings.at(0).value == "(gross >= 1000)");
  CHECK(lower(Shop{})->find("split")->operators.at(0).settings.at(0).value == "(gross >= 100)");
}

TEST_CASE("the program lists nodes in topological order, edges, operators and unused outputs") {
  const program lowered = *lower<Shop>();
  std::vector<std::string> names;
  for (const program_node& each : lowered.nodes) names.push_back(each.name);
  CHECK(names == std::vector<std::string>{"orders", "split", "small", "sum_large", "totals"});
  CHECK(lowered.nodes[3].inputs[0].node == 1);
  CHECK(lowered.nodes[3].inputs[0].port == 0);
  CHECK(lowered.nodes[4].mode == output_mode::complete);
  CHECK(lowered.find("sum_large")->state_schema ==
        "aggregate total = sum(gross) decimal(20,2); aggregate orders = count() int64");
  // Steps too, when something can be invalid there.
  CHECK(lowered.warnings ==
        std::vector<std::string>{"nothing reads orders.invalid: its rows are counted and dropped",
                                 "nothing reads split.invalid: its rows are counted and dropped",
                                 "nothing reads sum_large.invalid: its rows are counted and dropped"});
}

TEST_CASE(
    "a derived column can be filtered, aggregated and hidden, and a step behind an aggregate works on its results") {
  struct Sum {
    std::int64_t id;
    decimal<38, 2> total;
  };
  auto source = std::make_shared<memory_source<Order>>();
  source->add({order(1, "10", "1"), order(1, "20", "2"), order(2, "5", "5"), order(2, "7", "1")});
  auto sums = std::make_shared<memory_sink<Sum>>();
  profile where = in_memory(source);
  where.assets["sums"].made_sink = sums;
  const auto done = run(from<Order>("orders") | derive<"net">(field<"gross"> - field<"tax">) |
                            etlantic::where(field<"net"> > 0) | derive<"gross">(field<"net"> * 2) | group_by<"id"> |
                            aggregate<Sum>(named<"total"> = sum(field<"gross">)) |
                            etlantic::where(field<"total"> > 20) | into<output_mode::complete>("sums"),
                        where);
  REQUIRE(done.ok());
  REQUIRE(sums->rows().size() == 1);
  CHECK(sums->rows()[0].id == 1);
  CHECK(sums->rows()[0].total == decimal<38, 2>("54"));
  CHECK(done->steps[0].counts.filtered == 1);
}

TEST_CASE("DC-08, DC-13: with on_overflow: fail a sum that does not fit its field ends the query and names the group") {
  struct Wide {
    decimal<38, 0> value;
  };
  struct Sum {
    decimal<38, 0> sum;
  };
  auto source = std::make_shared<memory_source<Wide>>();
  const auto big = decimal<38, 0>("99000000000000000000000000000000000000");
  source->add({{big}, {big}});
  auto sums = std::make_shared<memory_sink<Sum>>();
  profile where = in_memory(source);
  where.on_overflow = overflow_policy::fail;
  where.assets["sums"].made_sink = sums;
  const auto wide = run(
      from<Wide>("orders") | aggregate<Sum>(named<"sum"> = sum(field<"value">)) | into<output_mode::complete>("sums"),
      where);
  REQUIRE_FALSE(wide.ok());
  CHECK(wide.error().code == "PMSTREAM481");
  CHECK(wide.error().message.find("sum does not fit its type") != std::string::npos);
  CHECK(sums->rows().empty());

  struct Integer {
    std::int64_t value;
  };
  struct IntegerSum {
    std::int64_t sum;
  };
  auto integers = std::make_shared<memory_source<Integer>>();
  integers->add({{std::numeric_limits<std::int64_t>::max()}, {1}});
  auto integer_sums = std::make_shared<memory_sink<IntegerSum>>();
  profile second = in_memory(integers);
  second.on_overflow = overflow_policy::fail;
  second.assets["sums"].made_sink = integer_sums;
  const auto narrow = run(from<Integer>("orders") | aggregate<IntegerSum>(named<"sum"> = sum(field<"value">)) |
                              into<output_mode::complete>("sums"),
                          second);
  REQUIRE_FALSE(narrow.ok());
  CHECK(narrow.error().code == "PMSTREAM481");
}

TEST_CASE("with on_overflow: fail arithmetic that overflows ends the query and names the row") {
  struct Integer {
    std::int64_t value;
  };
  auto source = std::make_shared<memory_source<Integer>>();
  source->add({{1}, {std::numeric_limits<std::int64_t>::max()}});
  auto out = std::make_shared<memory_sink<Integer>>();
  profile where = in_memory(source);
  where.on_overflow = overflow_policy::fail;
  where.assets["out"].made_sink = out;
  const auto pipeline = from<Integer>("orders") | select<Integer>(named<"value"> = field<"value"> + 1) | into("out");
  const auto failed = run(pipeline, where);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().code == "PMSTREAM480");
  CHECK(failed.error().message.find("memory at 1") != std::string::npos);

  // The same value behind a filter is no overflow.
  auto again = std::make_shared<memory_source<Integer>>();
  again->add({{1}, {std::numeric_limits<std::int64_t>::max()}});
  profile filtered = in_memory(again);
  filtered.on_overflow = overflow_policy::fail;
  filtered.assets["out"].made_sink = out;
  CHECK(run(from<Integer>("orders") | etlantic::where(field<"value"> < 5) |
                select<Integer>(named<"value"> = field<"value"> + 1) | into("out"),
            filtered)
            .ok());
}

TEST_CASE("with on_overflow: fail a result that breaks its contract ends the query") {
  struct Integer {
    std::int64_t value;
  };
  struct Positive {
    checked<std::int64_t, gt<0>> value;
  };
  auto source = std::make_shared<memory_source<Integer>>();
  source->add({{-1}});
  profile where = in_memory(source);
  where.on_overflow = overflow_policy::fail;
  where.assets["out"].made_sink = std::make_shared<memory_sink<Positive>>();
  const auto failed = run(from<Integer>("orders") | select<Positive>() | into("out"), where);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().code == "PMSTREAM482");
}

TEST_CASE("WIN-07: settings of a bare pipeline that cannot work are a failure before anything runs") {
  struct Count {
    std::int64_t n;
  };
  const auto with = [](duration delay, duration length, duration offset) {
    return lower(from<Order>("orders") | watermark<"time">(delay) | tumbling<"time">(length, offset) |
                 aggregate<Count>(named<"n"> = count()) | into("out"));
  };
  CHECK(with(0s, 1s, 0s).ok());
  CHECK(with(0s, 0s, 0s).error().message == "the length of a window must be greater than zero");
  CHECK(with(0s, -5s, 0s).error().code == "PMPIPE310");
  CHECK(with(0s, 10s, 10s).error().message ==
        "the offset of a window must be less than its length, in either direction");
  CHECK(with(0s, 10s, -10s).error().code == "PMPIPE310");
  CHECK(with(-10s, 10s, 0s).error().message == "the delay of a watermark must not be negative");
}

namespace {

struct BucketCount {
  timestamp window_start;
  std::int64_t n;
};
struct CountPerWindow {
  input<Order> orders;
  output<BucketCount> counts;
  parameter<duration> length{1min};
};
constexpr auto implement(const CountPerWindow& t) {
  return t.orders | watermark<"time">(1s) | tumbling<"time">(t.length) | aggregate<BucketCount>(named<"n"> = count());
}
struct CountPipeline {
  extract<Order, "orders"> orders;
  step<CountPerWindow, "orders.valid"> per_window;
  load<BucketCount, "counts", "per_window.counts"> counts;
};

}  // namespace

TEST_CASE("WIN-07: parameters that a program sets to what cannot work are a failure before anything runs") {
  CountPipeline made;
  CHECK(lower(made).ok());
  made.per_window.with.length.value = duration{0};
  const auto refused = lower(made);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMPIPE310");
  CHECK(refused.error().message == "the length of a window must be greater than zero");
  CHECK(refused.error().where == "step per_window");
  CHECK(start(made, profile{}).error().code == "PMPIPE310");
}

TEST_CASE("WIN-07: settings of sliding windows that cannot work are a failure before anything runs") {
  struct Count {
    std::int64_t n;
  };
  const auto with = [](duration length, duration slide, duration offset) {
    return lower(from<Order>("orders") | watermark<"time">(1s) | sliding<"time">(length, slide, offset) |
                 aggregate<Count>(named<"n"> = count()) | into("out"));
  };
  CHECK(with(10s, 3s, -2s).ok());
  CHECK(with(10s, 10s, 0s).ok());
  CHECK(with(0s, 1s, 0s).error().message == "the length of a window must be greater than zero");
  CHECK(with(10s, 0s, 0s).error().message == "the slide of a window must be greater than zero");
  CHECK(with(10s, 20s, 0s).error().message ==
        "the slide of a window must not be greater than its length: rows between windows would vanish");
  CHECK(with(10s, 5s, 5s).error().message ==
        "the offset of a sliding window must be less than its slide, in either direction");
  CHECK(with(10s, 5s, -5s).error().code == "PMPIPE310");
}

TEST_CASE("length, slide and offset of sliding windows are part of what saved state must agree with") {
  struct Count {
    std::int64_t n;
  };
  const auto lowered = [](duration length, duration slide, duration offset) {
    return *lower(from<Order>("orders") | watermark<"time">(1s) | sliding<"time">(length, slide, offset) |
                  aggregate<Count>(named<"n"> = count()) | into("out"));
  };
  const auto step_of = [](const program& of) { return of.nodes.at(1); };
  const program_node step = step_of(lowered(10s, 5s, 1s));
  CHECK(step.state_schema == "sliding time 10s every 5s offset 1s; aggregate n = count() int64");
  const auto shown = std::find_if(step.operators.begin(), step.operators.end(),
                                  [](const auto& each) { return each.name == "sliding"; });
  REQUIRE(shown != step.operators.end());
  std::vector<std::pair<std::string, std::string>> settings;
  for (const setting& each : shown->settings) settings.emplace_back(each.name, each.value);
  CHECK(settings == std::vector<std::pair<std::string, std::string>>{
                        {"event_time", "time"}, {"length", "10s"}, {"slide", "5s"}, {"offset", "1s"}});
  for (const program& other : {lowered(15s, 5s, 1s), lowered(10s, 2s, 1s), lowered(10s, 5s, 0s)})
    CHECK(step_of(other).state_schema != step.state_schema);
}

TEST_CASE("a row is late only when all of its sliding windows are closed, and goes into those that are open") {
  struct Count {
    timestamp window_start, window_end;
    std::int64_t n;
    bool operator==(const Count&) const = default;
  };
  auto source = std::make_shared<memory_source<Order>>();
  // In the third batch windows of 10 s every 5 s are closed up to the one that ends at 100: the second ran under 100.
  source->add({order(1, "1", "0", 100)});
  source->add({order(5, "1", "0", 100)});
  // 96 is in [90, 100), which is closed, and in [95, 105); 94 is in [85, 95) and [90, 100), both closed.
  source->add({order(2, "1", "0", 96), order(3, "1", "0", 94), order(4, "1", "0", 200)});
  auto late_orders = std::make_shared<memory_sink<late<Order>>>();
  auto counts = std::make_shared<memory_sink<Count>>();
  const auto pipeline = from<Order>("orders") | watermark<"time">(0s) | sliding<"time">(10s, 5s) |
                        aggregate<Count>(named<"n"> = count()) |
                        into<output_mode::append>("counts", {.late = "late_orders"});
  profile where = in_memory(source);
  where.trigger.kind = trigger_kind::available_now;
  where.assets["counts"].made_sink = counts;
  where.assets["late_orders"].made_sink = late_orders;
  REQUIRE(run(pipeline, where).ok());
  const auto at = [](std::int64_t seconds) { return timestamp{seconds * 1'000'000}; };
  CHECK(counts->rows() == std::vector<Count>{{at(95), at(105), 3}, {at(100), at(110), 2}});
  REQUIRE(late_orders->rows().size() == 1);
  CHECK(late_orders->rows()[0].event.id == 3);
  CHECK(late_orders->rows()[0].window_start == at(90));
  CHECK(late_orders->rows()[0].window_end == at(100));
}

TEST_CASE("late rows of a bare pipeline carry the event, the watermark and the window they missed") {
  struct Count {
    timestamp window_start;
    std::int64_t n;
  };
  auto source = std::make_shared<memory_source<Order>>();
  source->add({order(1, "1", "0", 100)});
  auto late_orders = std::make_shared<memory_sink<late<Order>>>();
  auto counts = std::make_shared<memory_sink<Count>>();
  const auto pipeline = from<Order>("orders") | watermark<"time">(10s) | tumbling<"time">(10s) |
                        aggregate<Count>(named<"n"> = count()) | into("counts", {.late = "late_orders"});
  profile where = in_memory(source);
  where.trigger.kind = trigger_kind::available_now;
  where.assets["counts"].made_sink = counts;
  where.assets["late_orders"].made_sink = late_orders;
  // Three batches in one query: lateness lags one batch behind while input is waiting.
  source->add({order(2, "1", "0", 85)});
  source->add({order(3, "1", "0", 79)});
  REQUIRE(run(pipeline, where).ok());
  REQUIRE(late_orders->rows().size() == 1);
  const late<Order> row = late_orders->rows()[0];
  CHECK(row.event.id == 3);
  CHECK(row.watermark == timestamp{90'000'000});
  CHECK(row.window_start == timestamp{70'000'000});
  CHECK(row.window_end == timestamp{80'000'000});
  CHECK(row.reason == text("window_closed"));
  CHECK(row.split == text("memory"));
  CHECK(row.position == 2);
}

TEST_CASE("rows in memory are checked against their contract like any other") {
  struct Positive {
    checked<std::int64_t, gt<0>> value;
  };
  auto source = std::make_shared<memory_source<Positive>>();
  source->add({{1}, {-1}, {2}});
  auto good = std::make_shared<memory_sink<Positive>>();
  auto bad = std::make_shared<memory_sink<rejected<Positive>>>();
  profile where = in_memory(source);
  where.assets["out"].made_sink = good;
  where.assets["bad"].made_sink = bad;
  const auto done = run(from<Positive>("orders") | select<Positive>() | into("out", {.invalid = "bad"}), where);
  REQUIRE(done.ok());
  CHECK(good->rows().size() == 2);
  REQUIRE(bad->rows().size() == 1);
  CHECK(bad->rows()[0].reason == text("constraint"));
  CHECK(bad->rows()[0].position == 1);
  CHECK(done->extracts[0].invalid == 1);
}

TEST_CASE("FS-08: a line beyond the limit of its source is one rejected row, and its neighbours are fine") {
  struct Id {
    std::int64_t id;
  };
  const auto folder = std::filesystem::temp_directory_path() / ("etlantic-long-line-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto input = folder / "in.ndjson";
  std::ofstream(input) << "{\"id\":1}\n{\"id\":2,\"x\":\"" << std::string(5000, 'x') << "\"}\n{\"id\":3}\n";
  auto good = std::make_shared<memory_sink<Id>>();
  auto bad = std::make_shared<memory_sink<rejected<Id>>>();
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"] = {"file", {{"path", input.string()}, {"max_line_bytes", "1000"}}, nullptr, nullptr};
  where.assets["out"].made_sink = good;
  where.assets["bad"].made_sink = bad;
  const auto done = run(from<Id>("in") | select<Id>() | into("out", {.invalid = "bad"}), where);
  std::filesystem::remove_all(folder);
  REQUIRE(done.ok());
  CHECK(good->rows().size() == 2);
  REQUIRE(bad->rows().size() == 1);
  CHECK(bad->rows()[0].reason == text("too_long"));
}

namespace {

struct Event {
  timestamp time;
};
struct EventWindow {
  timestamp window_start, window_end;
  std::int64_t events;
  using key = primary_key<"window_start", "window_end">;
};
struct EventTotal {
  std::int64_t id, events;
  using key = primary_key<"id">;
};
struct CountEvents {
  input<Event> events;
  output<EventWindow> windows;
};
constexpr auto implement(const CountEvents& t) {
  return t.events | watermark<"time">(duration{0}) | tumbling<"time">(std::chrono::seconds{5}) |
         aggregate<EventWindow>(named<"events"> = count());
}
struct SumWindows {
  input<EventWindow> windows;
  output<EventTotal> total;
};
constexpr auto implement(const SumWindows& t) {
  return t.windows | aggregate<EventTotal>(named<"id"> = count(), named<"events"> = sum(field<"events">));
}
struct TotalOfWindows {
  extract<Event, "events"> events;
  step<CountEvents, "events.valid"> count;
  step<SumWindows, "count.windows"> sum;
  load<EventTotal, "totals", "sum.total", output_mode::update> totals;
};

Event at(std::int64_t seconds) { return {timestamp{seconds * 1'000'000}}; }

}  // namespace

TEST_CASE("an aggregation over the windows of another step adds each of them once, whatever its own output mode") {
  auto source = std::make_shared<memory_source<Event>>();
  source->add({at(1), at(2)});
  source->add({at(3)});
  source->add({at(20)});
  auto totals = std::make_shared<memory_sink<EventTotal>>();
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["events"].made_source = source;
  where.assets["totals"].made_sink = totals;
  const auto done = run(TotalOfWindows{}, where);
  INFO((done ? "" : done.error().message + " " + done.error().where));
  REQUIRE(done.ok());
  const auto rows = totals->rows();
  REQUIRE(!rows.empty());
  CHECK(rows.back().id == 1);  // windows that are final: [0, 5) with three events
  CHECK(rows.back().events == 3);
}
