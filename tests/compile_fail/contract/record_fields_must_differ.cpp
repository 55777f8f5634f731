// expect: a record's value and its details have a field of the same name; give the record details of your own, in which it has another one
// names: Order
// names: "timestamp"
// means: The fields of a record and those of its value are fields of one row: `record<Order, Details>`, with a struct in
// means: which `record_timestamp` is called `written_at`, has both.
#include <etlantic/contract/record.hpp>
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

struct Order {
  std::int64_t order_id;
  std::int64_t timestamp;
};

struct Details {
  record_timestamp written_at;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto orders = from<record<Order>>("orders");
#else
constexpr auto orders = from<record<Order, Details>>("orders");
#endif
