// expect: this aggregate is not defined for values of this type
// names: "sum"
// names: etlantic::text
// means: sum, avg, variance and stddev need numbers (sum also takes durations); count_if needs a bool; min, max and the
// means: second argument of min_by and max_by need values with an order. Text can be counted and has a least and a
// means: greatest value. Structs and lists can only be counted.
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
