// expect: this constraint does not fit the type of its field
// names: Order
// names: "customer"
// names: min_length<1>
// means: Bounds (gt, ge, lt, le) suit numbers, lengths suit text and binary, and one_of suits integers and text of
// means: the same kind as its members. A bound must not have more digits behind the point than the decimal it limits.
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
struct Order {
  checked<std::int64_t, min_length<1>> customer;
};
#else
struct Order {
  checked<std::int64_t, gt<0>> customer;
};
#endif

constexpr auto orders = from<Order>("orders");
