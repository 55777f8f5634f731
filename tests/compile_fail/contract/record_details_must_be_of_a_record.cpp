// expect: the details of a record can be record_topic, record_partition, record_offset, record_timestamp, record_key, record_header<"name"> and record_is_tombstone only
// names: Details
// names: "tenant"
// names: text
// means: The second struct of record<Value, Details> says what a row has beside the fields of the value. Everything
// means: else is a field of the value, and belongs into the first one.
#include <etlantic/contract/record.hpp>
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

struct Order {
  std::int64_t order_id;
};

struct Details {
  record_partition partition;
#ifdef ETLANTIC_MUST_FAIL
  text tenant;
#else
  record_header<"tenant"> tenant;
#endif
};

constexpr auto orders = from<record<Order, Details>>("orders");
