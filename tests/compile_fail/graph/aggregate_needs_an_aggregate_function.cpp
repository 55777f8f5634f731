// expect: a value of an aggregate must be count, sum, min, max, avg or another aggregate function of something
// names: "high"
// names: "price"
// means: A group has many rows, so a plain field or expression has no single value in it. Say which one is meant with
// means: an aggregate function, or make the field a group key.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/aggregate.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
};
struct Highest {
  text symbol;
  double high;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Trade>("trades") | group_by<"symbol"> | aggregate<Highest>(named<"high"> = field<"price">);
#else
constexpr auto rows = from<Trade>("trades") | group_by<"symbol"> | aggregate<Highest>(named<"high"> = max(field<"price">));
#endif
