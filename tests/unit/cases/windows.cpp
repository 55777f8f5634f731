#include "support/pipeline_case.hpp"

#include <etlantic/etlantic.hpp>


using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Timed {
  std::optional<timestamp> ts;
};

struct WindowCount {
  timestamp window_start, window_end;
  std::int64_t count;
};

struct KeyTimed {
  text key;
  timestamp ts;
};

struct KeyWindowCount {
  text key;
  timestamp window_start, window_end;
  std::int64_t count;
};

struct TimeCount {
  std::optional<timestamp> ts;
  std::int64_t count;
};

struct StatusTimed {
  timestamp ts;
  text status;
};

template <output_mode Mode>
auto count_windows(duration delay, duration length, duration offset = {}) {
  return lower(from<Timed>("in") | watermark<"ts">(delay) | tumbling<"ts">(length, offset) |
               aggregate<WindowCount>(named<"count"> = count()) | into<Mode>("out", {.late = "late"}));
}

template <output_mode Mode>
auto count_times(duration delay) {
  return lower(from<Timed>("in") | watermark<"ts">(delay) | group_by<"ts"> |
               aggregate<TimeCount>(named<"count"> = count()) | into<Mode>("out", {.late = "late"}));
}

constexpr auto append = output_mode::append;
constexpr auto update = output_mode::update;
constexpr auto complete = output_mode::complete;

}  // namespace

TEST_CASE("WM-01: lateness uses the watermark that was in force when the batch began") {
  pipeline_case::check("WM-01", count_windows<append>(0s, 10s));
}
TEST_CASE("WM-02: a window is final when its end equals the watermark") {
  pipeline_case::check("WM-02", count_windows<append>(10s, 5s));
}
TEST_CASE("WM-04: grouping by the raw time, equality with the watermark is late") {
  pipeline_case::check("WM-04", count_times<append>(10s));
}
TEST_CASE("WM-06: the watermark is in whole milliseconds, rows are in microseconds") {
  pipeline_case::check("WM-06", count_times<append>(0s));
}
TEST_CASE("WM-07: the watermark never moves back") { pipeline_case::check("WM-07", count_windows<append>(10s, 10s)); }
TEST_CASE("WM-08: the last window stays open while no later event arrives") {
  pipeline_case::check("WM-08", count_windows<append>(5s, 10s));
}
TEST_CASE("WM-14: the watermark is taken over the whole source") {
  pipeline_case::check("WM-14", count_times<append>(60s));
}
TEST_CASE("WM-15: one row far in the future makes later honest rows late, and they are counted") {
  pipeline_case::check("WM-15", count_windows<append>(60s, 60s));
}
TEST_CASE("WM-17: the watermark survives restarts and goes on dropping") {
  pipeline_case::check("WM-17", count_windows<append>(10s, 5s));
}
TEST_CASE("WM-21: a row without event time joins no window and does not move the watermark") {
  pipeline_case::check("WM-21", count_windows<complete>(0s, 10s));
}
TEST_CASE("WM-23: a delay of a month is 31 days") {
  pipeline_case::check("WM-23", count_windows<append>(31 * 24h, 24h));
}
TEST_CASE("WM-24b: a row at exactly time 0 is in its window") {
  pipeline_case::check("WM-24b", count_windows<append>(10s, 10s));
}
TEST_CASE("WM-25: rows removed by a filter do not move the watermark, wherever the filter stands") {
  pipeline_case::check("WM-25", lower(from<StatusTimed>("in") | where(field<"status"> == "paid") |
                                      watermark<"ts">(10s) | tumbling<"ts">(10s) |
                                      aggregate<WindowCount>(named<"count"> = count()) |
                                      into<append>("out", {.late = "late"})));
  pipeline_case::check("WM-25", lower(from<StatusTimed>("in") | watermark<"ts">(10s) |
                                      where(field<"status"> == "paid") | tumbling<"ts">(10s) |
                                      aggregate<WindowCount>(named<"count"> = count()) |
                                      into<append>("out", {.late = "late"})));
}

TEST_CASE("WIN-01: windows of times before 1970 start before their rows") {
  pipeline_case::check("WIN-01a", count_windows<complete>(0s, 10s, 5s));
  pipeline_case::check("WIN-01b", count_windows<complete>(0s, 10s));
}
TEST_CASE("WIN-03: the slide does not divide the length") {
  pipeline_case::check("WIN-03",
                       lower(from<Timed>("in") | watermark<"ts">(0s) | sliding<"ts">(10s, 3s) |
                             aggregate<WindowCount>(named<"count"> = count()) | into<complete>("out", {.late = "late"})),
                       pipeline_case::state_of::panes);
}
TEST_CASE("WIN-04: the upper edge of a window is exclusive, the lower one inclusive") {
  pipeline_case::check("WIN-04", lower(from<KeyTimed>("in") | watermark<"ts">(0s) | group_by<"key"> |
                                       sliding<"ts">(10s, 5s) |
                                       aggregate<KeyWindowCount>(named<"count"> = count()) |
                                       into<complete>("out", {.late = "late"})),
                       pipeline_case::state_of::panes);
}
TEST_CASE("WIN-06: a negative offset") { pipeline_case::check("WIN-06", count_windows<complete>(0s, 10s, -5s)); }
TEST_CASE("WIN-08: long windows align to 1970") {
  pipeline_case::check("WIN-08a", count_windows<complete>(0s, 30 * 24h));
  pipeline_case::check("WIN-08b", count_windows<complete>(0s, 7 * 24h));
}
TEST_CASE("WIN-09: one day is 86400 s, also over a change of the clocks") {
  pipeline_case::check("WIN-09", count_windows<complete>(0s, 24h, 5h));
}

TEST_CASE("OM-01: update mode emits only what changed") {
  pipeline_case::check("OM-01", count_windows<update>(10s, 5s));
}
TEST_CASE("RC-06: run-once keeps the watermark") { pipeline_case::check("RC-06", count_windows<append>(10s, 5s)); }
TEST_CASE("TS-19: three spellings of one time are one key") { pipeline_case::check("TS-19", count_times<complete>(0s)); }

TEST_CASE("a filter on the event time behind the watermark does not hold it back") {
  // 100 is filtered, and still moves the watermark to 100: the window of 5 is final.
  auto source = std::make_shared<memory_source<Timed>>();
  auto results = std::make_shared<memory_sink<WindowCount>>();
  source->add({{timestamp{5'000'000}}, {timestamp{100'000'000}}});
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = results;
  const auto done = run(from<Timed>("in") | watermark<"ts">(0s) | etlantic::where(field<"ts"> < timestamp{50'000'000}) |
                            tumbling<"ts">(10s) | aggregate<WindowCount>(named<"count"> = count()) | into("out"),
                        where);
  REQUIRE(done.ok());
  REQUIRE(results->rows().size() == 1);
  CHECK(results->rows()[0].window_start == timestamp{0});
  CHECK(done->steps[0].counts.filtered == 1);
  CHECK(done->steps[0].counts.kept == 1);
}

TEST_CASE("grouping by the raw time has a group for rows without one, which is never late") {
  auto source = std::make_shared<memory_source<Timed>>();
  auto results = std::make_shared<memory_sink<TimeCount>>();
  source->add({{timestamp{100'000'000}}, {std::nullopt}});
  source->add({{std::nullopt}});
  source->add({{std::nullopt}});
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = results;
  const auto done = run(from<Timed>("in") | watermark<"ts">(0s) | group_by<"ts"> |
                            aggregate<TimeCount>(named<"count"> = count()) | into<update>("out"),
                        where);
  REQUIRE(done.ok());
  CHECK(done->steps[0].counts.filtered == 0);
  CHECK(done->steps[0].counts.late == 0);
  std::int64_t newest = 0;
  for (const TimeCount& each : results->rows())
    if (!each.ts) newest = each.count;
  CHECK(newest == 3);
}
