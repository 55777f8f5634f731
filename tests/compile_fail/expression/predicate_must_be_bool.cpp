// expect: a predicate must give a bool
// names: decimal<18, 2>
// names: "total"
// means: where keeps the rows for which its expression is true, so the expression must be a comparison, a bool field,
// means: or logic on these. Write the comparison that is meant.
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
constexpr auto rows = from<Order>("orders") | where(field<"total">);
#else
constexpr auto rows = from<Order>("orders") | where(field<"total"> > 0);
#endif
