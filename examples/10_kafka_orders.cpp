// Orders from a Kafka topic to totals in another one, each batch a transaction. It runs without a server: the broker is
// within the process. With a real one, `bootstrap_servers` names it and the profile is a file (docs/kafka.md).
// ctest:

#include <etlantic/connect/kafka/embedded_broker.hpp>
#include <etlantic/etlantic.hpp>

#include <cstdio>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Order {
  std::int64_t customer_id;
  checked<decimal<18, 2>, ge<0>> total;
  timestamp time;
};

struct CustomerTotal {
  std::int64_t customer_id;
  timestamp window_start, window_end;
  std::int64_t orders;
  decimal<18, 2> total;
  using key = primary_key<"customer_id", "window_start">;
};

struct AddOrders {
  input<Order> orders;
  output<CustomerTotal> totals;
};

constexpr auto implement(const AddOrders& t) {
  return t.orders | watermark<"time">(5min) | group_by<"customer_id"> | tumbling<"time">(1h) |
         aggregate<CustomerTotal>(named<"orders"> = count(), named<"total"> = sum(field<"total">));
}

struct CustomerTotals {
  extract<Order, "orders"> orders;
  step<AddOrders, "orders.valid"> add;
  load<CustomerTotal, "customer_totals", "add.totals", output_mode::update> totals;
  load<rejected<Order>, "rejected_orders", "orders.invalid"> rejected_orders;
};

int main() {
  const auto broker = kafka::embedded_broker::of_process();
  if (!broker) return std::fprintf(stderr, "%s\n", broker.error().message.c_str()), 1;
  (void)(*broker)->create_topic("orders", 3);
  for (int i = 0; i < 3000; ++i) {
    const std::string customer = std::to_string(i % 10);
    const std::string order = "{\"customer_id\":" + customer + ",\"total\":12.50,\"time\":\"2026-03-01T" +
                              (i < 1500 ? "10" : "11") + ":15:00Z\"}";
    if (!(*broker)->add("orders", order, std::nullopt, customer)) return 1;
  }
  (void)(*broker)->add("orders", "{\"customer_id\":1,\"total\":-1,\"time\":\"2026-03-01T11:15:00Z\"}");
  if (!(*broker)->flush()) return 1;

  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.limits.max_rows = 1000;
  const std::map<std::string, std::string> embedded{{"bootstrap_servers", "embedded"}};
  const auto kafka_asset = [&](std::map<std::string, std::string> options) {
    options.merge(std::map(embedded));
    return asset_binding{.connector = "kafka", .options = std::move(options)};
  };
  where_it_runs.assets["orders"] = kafka_asset({{"topics", "orders"}});
  where_it_runs.assets["customer_totals"] = kafka_asset({{"topic", "customer-totals"}});
  where_it_runs.assets["rejected_orders"] = kafka_asset({{"topic", "rejected-orders"}, {"delivery", "at_least_once"}});

  const auto done = run(CustomerTotals{}, where_it_runs);
  if (!done) return std::fprintf(stderr, "%s\n", done.error().message.c_str()), 1;
  std::printf("%lld batches, %lld orders, %lld rejected\n", static_cast<long long>(done->batch),
              static_cast<long long>(done->rows_read()), static_cast<long long>(done->extracts[0].invalid));
  return done->rows_read() == 3001 && done->extracts[0].invalid == 1 ? 0 : 1;
}
