#pragma once
#include <etlantic/contract/contract.hpp>

#include <cstdint>

namespace bench {

enum class order_status { paid, cancelled, refunded };

/// A row of the house workload.
struct HouseOrder {
  etlantic::checked<std::int64_t, etlantic::gt<0>> customer_id;
  etlantic::checked<etlantic::decimal<18, 2>, etlantic::ge<0>> order_total;
  order_status status;
  etlantic::timestamp event_time;
  etlantic::checked<std::int64_t, etlantic::ge<0>> order_id;
};

}  // namespace bench
