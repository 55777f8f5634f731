// Hourly totals of orders per customer, merged into a Delta Lake table that Spark, DuckDB or Polars
// read; and read from it again.
// ctest:

#include <etlantic/etlantic.hpp>

#include <cstdio>
#include <memory>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Order {
  std::int64_t customer_id;
  text region;
  decimal<12, 2> total;
  timestamp time;
};

struct CustomerHour {
  std::int64_t customer_id;
  text region;
  timestamp window_start, window_end;
  std::int64_t orders;
  decimal<22, 2> total;
  using key = primary_key<"customer_id", "region", "window_start", "window_end">;
};

struct CountOrders {
  input<Order> orders;
  output<CustomerHour> hours;
};

constexpr auto implement(const CountOrders& t) {
  return t.orders
       | watermark<"time">(15min)
       | group_by<"customer_id", "region">
       | tumbling<"time">(1h)
       | aggregate<CustomerHour>(named<"orders"> = count(), named<"total"> = sum(field<"total">));
}

struct DeltaOrders {
  extract<Order, "orders"> orders;
  step<CountOrders, "orders.valid"> count;
  // Of each key the table holds the newest row: an hour that gets another order is replaced.
  load<CustomerHour, "customer_hours", "count.hours", output_mode::update, target::keyed_table> hours;
};

int main() {
  const auto at = [](int minute) { return timestamp{minute * 60'000'000LL}; };
  const auto euros = [](std::int64_t cents) { return decimal<12, 2>::from_scaled(cents); };
  auto orders = std::make_shared<memory_source<Order>>();
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.checkpoint = "delta_orders.checkpoint";
  where_it_runs.assets["orders"].made_source = orders;
  where_it_runs.assets["customer_hours"] = {.connector = "delta",
                                            .options = {{"path", "customer_hours"}, {"partition_by", "region"}}};

  orders->add({{1, text("north"), euros(1250), at(5)}, {2, text("south"), euros(400), at(10)}});
  const auto first = run(DeltaOrders{}, where_it_runs);
  orders->add({{1, text("north"), euros(750), at(20)}});
  const auto second = run(DeltaOrders{}, where_it_runs);
  for (const auto* done : {&first, &second})
    if (!*done) {
      std::fprintf(stderr, "%s\n", done->error().message.c_str());
      return 1;
    }

  // The table is a source, too.
  auto busy = std::make_shared<memory_sink<CustomerHour>>();
  profile where_it_is_read;
  where_it_is_read.trigger.kind = trigger_kind::available_now;
  where_it_is_read.assets["customer_hours"] = {.connector = "delta", .options = {{"path", "customer_hours"}}};
  where_it_is_read.assets["busy_hours"].made_sink = busy;
  const auto read = run(from<CustomerHour>("customer_hours") | where(field<"orders"> > 1) | into("busy_hours"), where_it_is_read);
  if (!read) {
    std::fprintf(stderr, "%s\n", read.error().message.c_str());
    return 1;
  }
  for (const CustomerHour& each : busy->rows())
    std::printf("customer %lld: %lld orders\n", static_cast<long long>(each.customer_id), static_cast<long long>(each.orders));
  return busy->rows().size() == 1 && busy->rows()[0].total.scaled == 2000 ? 0 : 1;
}
