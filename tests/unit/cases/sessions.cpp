#include "support/pipeline_case.hpp"

#include <etlantic/etlantic.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct KeyTimed {
  text key;
  timestamp ts;
};
struct KeyTimedGap {
  text key;
  timestamp ts;
  std::int64_t gap;
};

struct KeyValue {
  text key;
  timestamp ts;
  std::int64_t value;
};
struct Aggregates {
  text key;
  timestamp window_start, window_end;
  std::int64_t count, sum, min, max;
  double avg;
  std::int64_t latest;
};

struct KeySessionCount {
  text key;
  timestamp window_start, window_end;
  std::int64_t count;
};

auto count_sessions(duration delay) {
  return lower(from<KeyTimed>("in") | watermark<"ts">(delay) | group_by<"key"> | session<"ts">(10s) |
               aggregate<KeySessionCount>(named<"count"> = count()) | into("out", {.late = "late"}));
}

}  // namespace

TEST_CASE("SES-01: an event exactly at last + gap is in the session") {
  pipeline_case::check("SES-01", count_sessions(100s));
}
TEST_CASE("SES-02: an old event joins two sessions") { pipeline_case::check("SES-02", count_sessions(30s)); }
TEST_CASE("SES-03: lateness is by the row's own session end") { pipeline_case::check("SES-03", count_sessions(30s)); }
TEST_CASE("SES-06: the gap is taken from the row; zero or below removes the row") {
  pipeline_case::check(
      "SES-06", lower(from<KeyTimedGap>("in") | watermark<"ts">(100s) | group_by<"key"> | session<"ts">(field<"gap">) |
                      aggregate<KeySessionCount>(named<"count"> = count()) | into("out", {.late = "late"})));
}
TEST_CASE("SES-09: a merge keeps all aggregates, not only the count") {
  pipeline_case::check(
      "SES-09",
      lower(from<KeyValue>("in") | watermark<"ts">(100s) | group_by<"key"> | session<"ts">(10s) |
            aggregate<Aggregates>(named<"count"> = count(), named<"sum"> = sum(field<"value">),
                                  named<"min"> = min(field<"value">), named<"max"> = max(field<"value">),
                                  named<"avg"> = avg(field<"value">),
                                  named<"latest"> = max_by(field<"value">, field<"ts">)) |
            into("out", {.late = "late"})));
}
