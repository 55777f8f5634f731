// expect: the two sides of this comparison have different types
// names: order_status
// names: etlantic::text
// names: "status"
// means: Values compare with values of their own type, integers with decimals, and floating point with a literal
// means: integer. Both types are named; an enumeration compares with its enumerators, not with text.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/where.hpp>

using namespace etlantic;

enum class order_status { paid, cancelled };

struct Order {
  std::int64_t id;
  decimal<18, 2> total;
  order_status status;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Order>("orders") | where(field<"status"> == "paid");
#else
constexpr auto rows = from<Order>("orders") | where(field<"status"> == order_status::paid);
#endif
