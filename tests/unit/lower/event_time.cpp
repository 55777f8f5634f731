#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

// What the cases of tests/data/cases leave out about event times.

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

struct TimeCount {
  std::optional<timestamp> ts;
  std::int64_t count;
};

constexpr auto update = output_mode::update;

}  // namespace

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
