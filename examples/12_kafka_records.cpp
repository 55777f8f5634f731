// More of a record than its value: the orders of a tenant, counted for each partition by the hour in which they were
// written, and the keys of orders that were deleted. What is no order goes to a topic of dead letters, as it came.
// ctest:

#include <etlantic/connect/kafka/embedded_broker.hpp>
#include <etlantic/etlantic.hpp>

#include <cstdio>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Order {                       // what a value is; it knows nothing of topics
  std::int64_t order_id;
  checked<decimal<18, 2>, ge<0>> total;
};

struct OrderDetails {                // what is wanted of its record beside it
  record_partition partition;
  record_timestamp written_at;
  record_key key;
  record_header<"tenant"> tenant;
  record_is_tombstone deleted;
};

using OrderRecord = record<std::optional<Order>, OrderDetails>;

struct PartitionHour {
  std::int32_t partition;
  timestamp window_start, window_end;
  std::int64_t orders;
  decimal<18, 2> total;
  using key = primary_key<"partition", "window_start">;
};

struct DeletedOrder {
  std::optional<text> key;
  timestamp written_at;
};

struct CountOrders {
  input<OrderRecord> orders;
  output<PartitionHour> counts;
};

constexpr auto implement(const CountOrders& t) {
  return t.orders | watermark<"written_at">(5min) | where(field<"tenant"> == "acme") | where(!field<"deleted">) |
         group_by<"partition"> | tumbling<"written_at">(1h) |
         aggregate<PartitionHour>(named<"orders"> = count(), named<"total"> = sum(coalesce(field<"total">, decimal<18, 2>("0"))));
}

struct FindDeleted {
  input<OrderRecord> orders;
  output<DeletedOrder> deleted;
};

constexpr auto implement(const FindDeleted& t) { return t.orders | where(field<"deleted">) | select<DeletedOrder>(); }

struct OrdersOfTenant {
  extract<OrderRecord, "orders"> orders;
  step<CountOrders, "orders.valid"> count;
  step<FindDeleted, "orders.valid"> find;
  load<PartitionHour, "partition_hours", "count.counts", output_mode::update> counts;
  load<DeletedOrder, "deleted_orders", "find.deleted"> deleted;
  load<rejected<OrderRecord>, "dead_orders", "orders.invalid"> dead;
};

int main() {
  const auto broker = kafka::embedded_broker::of_process();
  if (!broker) return std::fprintf(stderr, "%s\n", broker.error().message.c_str()), 1;
  (void)(*broker)->create_topic("orders", 3);
  for (int i = 0; i < 300; ++i) {
    const std::string id = std::to_string(i);
    const std::string order = "{\"order_id\":" + id + ",\"total\":\"12.50\"}";
    kafka::embedded_record record{.value = order, .key = id, .headers = {{"tenant", i % 2 == 0 ? "acme" : "other"}}};
    if (i % 100 == 99) record.value.reset();   // the order was deleted
    if (i % 100 == 50) record.value = "no order";
    if (!(*broker)->add_record("orders", record)) return 1;
  }
  if (!(*broker)->flush()) return 1;

  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  const auto topic = [](const char* option, const char* name) {
    return asset_binding{.connector = "kafka", .options = {{"bootstrap_servers", "embedded"}, {option, name}}};
  };
  where_it_runs.assets["orders"] = topic("topics", "orders");
  where_it_runs.assets["partition_hours"] = topic("topic", "partition-hours");
  where_it_runs.assets["deleted_orders"].connector = "console";
  where_it_runs.assets["dead_orders"] = topic("topic", "dead-orders");
  where_it_runs.assets["dead_orders"].options["format"] = "dead_letter";

  const auto done = run(OrdersOfTenant{}, where_it_runs);
  if (!done) return std::fprintf(stderr, "%s\n", done.error().message.c_str()), 1;
  std::printf("%lld records, %lld of them no orders\n", static_cast<long long>(done->rows_read()),
              static_cast<long long>(done->extracts[0].invalid));
  return done->rows_read() == 300 && done->extracts[0].invalid == 3 ? 0 : 1;
}
