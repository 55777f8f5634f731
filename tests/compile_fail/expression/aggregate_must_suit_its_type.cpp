// expect: this aggregate is not defined for values of this type
// names: "sum"
// names: etlantic::text
// means: sum, avg, variance, stddev and approximate_quantile need numbers (sum and approximate_quantile also take
// means: durations); count_if needs a bool; min, max and the second argument of min_by and max_by need values with an
// means: order. Text can be counted and collected and has a least and a greatest value. Structs and lists can only be
// means: counted.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/aggregate.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Totals {
  text symbol;
  text total;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Trade>("trades")
                    | group_by<"symbol">
                    | aggregate<Totals>(named<"total"> = sum(field<"symbol">));
#else
constexpr auto rows = from<Trade>("trades")
                    | group_by<"symbol">
                    | aggregate<Totals>(named<"total"> = max(field<"symbol">));
#endif
