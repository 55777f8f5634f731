// expect: and, or and not work on bools only
// names: long
// means: The operands of &&, || and ! must be bools; numbers are not true or false here. Write the comparison that is
// means: meant.
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
constexpr auto rows = from<Order>("orders") | where(field<"id"> && field<"total"> > 0);
#else
constexpr auto rows = from<Order>("orders") | where(field<"id"> != 0 && field<"total"> > 0);
#endif
