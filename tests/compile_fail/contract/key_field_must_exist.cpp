// expect: the primary key names a field that this contract does not have
// names: Order
// names: "order_nr"
// names: did_you_mean<etlantic::called<etlantic::fixed_string<9>{"order_no"}>
// means: The names in primary_key<...> are members of the struct, not names in the data. Correct the spelling, or add
// means: the field.
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
struct Order {
  std::int64_t order_no;
  using key = primary_key<"order_nr">;
};
#else
struct Order {
  std::int64_t order_no;
  using key = primary_key<"order_no">;
};
#endif

constexpr auto orders = from<Order>("orders");
