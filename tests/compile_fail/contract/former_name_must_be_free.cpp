// expect: renamed_from names a field that this contract still has, or that another field was renamed from
// names: Order
// names: "quantity"
// names: "qty"
// means: A checkpoint could not tell which of the two fields its state is of. Leave renamed_from out, or give the other
// means: field another name.
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
struct Order {
  checked<std::int64_t, renamed_from<"qty">> quantity;
  std::int64_t qty;
};
#else
struct Order {
  checked<std::int64_t, renamed_from<"qty">> quantity;
  std::int64_t number;
};
#endif

constexpr auto orders = from<Order>("orders");
