// Order events from NDJSON to hourly totals of paid orders per customer, with wrong and late rows set aside.

#include <etlantic/etlantic.hpp>
using namespace etlantic;  // examples only
using namespace std::chrono_literals;

enum class order_status { paid, cancelled, refunded };

struct OrderEvent {
  text event_id;
  checked<std::int64_t, gt<0>> order_id;
  checked<std::int64_t, gt<0>> customer_id;
  checked<decimal<18, 2>, ge<0>> order_total;
  order_status status;
  timestamp event_time;
};

struct CustomerOrderWindow {
  checked<std::int64_t, gt<0>> customer_id;
  timestamp window_start, window_end;
  checked<std::int64_t, ge<0>> paid_order_count;
  checked<decimal<18, 2>, ge<0>> paid_order_total;
  timestamp latest_event_time;
  using key = primary_key<"customer_id", "window_start", "window_end">;
};

// The contract of a transformation: ports and parameters, no behaviour.
struct AggregateCustomerOrders {
  input<OrderEvent> orders;
  parameter<duration> watermark_delay{15min};
  parameter<duration> window_duration{1h};
  output<CustomerOrderWindow> result;
};

// Its implementation builds an expression and starts nothing.
constexpr auto implement(const AggregateCustomerOrders& t) {
  return t.orders
       | watermark<"event_time">(t.watermark_delay)
       | where(field<"status"> == order_status::paid)
       | group_by<"customer_id">
       | tumbling<"event_time">(t.window_duration)
       | aggregate<CustomerOrderWindow>(
             named<"paid_order_count">  = count(),
             named<"paid_order_total">  = sum(field<"order_total">),
             named<"latest_event_time"> = max(field<"event_time">));
}

// The pipeline: member names are node names; edges are written as text and checked by the compiler.
struct CustomerOrders {
  extract<OrderEvent, "order_events">                                      orders;
  step<AggregateCustomerOrders, "orders.valid">                            aggregates;
  load<CustomerOrderWindow, "customer_order_windows", "aggregates.result"> curated;
  load<rejected<OrderEvent>, "rejected_order_events", "orders.invalid">    quarantine;
  load<late<OrderEvent>, "late_order_events", "aggregates.late">           late_orders;
};

int main(int argc, char** argv) { return etlantic::main<CustomerOrders>(argc, argv); }
