#include "support/pipeline_case.hpp"

#include <etlantic/etlantic.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct KeyDecimal {
  text key;
  std::optional<decimal<10, 2>> value;
};
struct Averages {
  text key;
  std::optional<decimal<14, 6>> avg;
};
struct Aggregates {
  text key;
  std::int64_t count, count_value;
  std::optional<decimal<20, 2>> sum;
  std::optional<decimal<14, 6>> avg;
  std::optional<decimal<10, 2>> min;
};
struct KeyDouble {
  text key;
  double value;
};
struct Sums {
  text key;
  double sum;
};
struct KeyText {
  text key, value;
};
struct Extremes {
  text key, min, max;
};
struct Key {
  std::optional<text> key;
};
struct KeyCount {
  std::optional<text> key;
  std::int64_t count;
};
struct Pair {
  std::optional<text> a, b;
};
struct PairCount {
  std::optional<text> a, b;
  std::int64_t count;
};

struct KeyTimeValue {
  text key;
  timestamp ts;
  std::int64_t value;
};
struct Latest {
  text key;
  std::int64_t latest;
};

constexpr auto complete = output_mode::complete;

}  // namespace

TEST_CASE("DC-10: an average of decimals has four more digits, rounded half up") {
  pipeline_case::check("DC-10", lower(from<KeyDecimal>("in") | group_by<"key"> |
                                      aggregate<Averages>(named<"avg"> = avg(field<"value">)) | into<complete>("out")));
}
TEST_CASE("DC-11: a group of nulls has no sum, no average and no minimum") {
  pipeline_case::check(
      "DC-11", lower(from<KeyDecimal>("in") | group_by<"key"> |
                     aggregate<Aggregates>(named<"count"> = count(), named<"count_value"> = count(field<"value">),
                                           named<"sum"> = sum(field<"value">), named<"avg"> = avg(field<"value">),
                                           named<"min"> = min(field<"value">)) |
                     into<complete>("out")));
}
TEST_CASE("FL-03: floating-point sums are plain additions in source order, however batches are cut") {
  for (const char* name : {"FL-03a", "FL-03b", "FL-03c"})
    pipeline_case::check(name, lower(from<KeyDouble>("in") | group_by<"key"> |
                                     aggregate<Sums>(named<"sum"> = sum(field<"value">)) | into<complete>("out")));
}
TEST_CASE("ST-01: strings are ordered by unsigned bytes") {
  pipeline_case::check("ST-01", lower(from<KeyText>("in") | group_by<"key"> |
                                      aggregate<Extremes>(named<"min"> = min(field<"value">),
                                                          named<"max"> = max(field<"value">)) |
                                      into<complete>("out")));
}
TEST_CASE("ST-04: empty, null and blank are three keys") {
  pipeline_case::check("ST-04", lower(from<Key>("in") | group_by<"key"> |
                                      aggregate<KeyCount>(named<"count"> = count()) | into<complete>("out")));
}
TEST_CASE("ST-05: composite keys do not collide") {
  pipeline_case::check("ST-05", lower(from<Pair>("in") | group_by<"a", "b"> |
                                      aggregate<PairCount>(named<"count"> = count()) | into<complete>("out")));
}
TEST_CASE("ST-07: of rows with the same latest time the later in source order counts, however batches are cut") {
  for (const char* name : {"ST-07a", "ST-07b"})
    pipeline_case::check(name, lower(from<KeyTimeValue>("in") | watermark<"ts">(10s) | group_by<"key"> |
                                     aggregate<Latest>(named<"latest"> = max_by(field<"value">, field<"ts">)) |
                                     into<complete>("out")));
}
