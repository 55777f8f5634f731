// expect: this arithmetic is not defined for these types
// names: "+"
// names: etlantic::timestamp
// means: Arithmetic works on numbers, on two durations, and on a time stamp and a duration. Exact decimals do not mix
// means: with floating point, nor do two time stamps add up.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>

using namespace etlantic;

enum class order_status { paid, cancelled };

struct Order {
  std::int64_t id;
  decimal<18, 2> total;
  order_status status;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Order>("orders") | derive<"sum">(field<"time"> + field<"time">);
#else
constexpr auto rows = from<Order>("orders") | derive<"age">(field<"time"> - field<"time">);
#endif
