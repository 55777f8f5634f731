// expect: two fields of this contract have the same name in the data
// names: Order
// names: "customer"
// names: "buyer"
// means: A member of the data could fill only one of them. Give one of the fields another name, by itself or by
// means: named_as.
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
struct Order {
  std::int64_t customer;
  checked<std::int64_t, named_as<"customer">> buyer;
};
#else
struct Order {
  std::int64_t customer;
  checked<std::int64_t, named_as<"buyerId">> buyer;
};
#endif

constexpr auto orders = from<Order>("orders");
