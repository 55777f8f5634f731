// A lookup join: each order gets the name that its customer has when the order's batch begins; and a semi join: the
// orders that were paid within a day.
// ctest:

#include <etlantic/etlantic.hpp>

#include <cstdio>

using namespace etlantic;  // examples only
using namespace std::chrono_literals;

struct Order {
  std::int64_t id;
  std::int64_t customer;
  timestamp ordered_at;
};

struct Payment {
  std::int64_t id;
  timestamp paid_at;
};

struct Customer {
  std::int64_t customer;
  text name;
};

struct NamedOrder {
  std::int64_t id;
  std::optional<text> name;
};

struct FindPaid {
  input<Order> orders;
  input<Payment> payments;
  output<Order> paid;
};

constexpr auto implement(const FindPaid& t) {
  return semi_join(t.orders | watermark<"ordered_at">(1min), t.payments | watermark<"paid_at">(1min), on<"id">,
                   within(0s, 24h));
}

struct NameOrders {
  input<Order> orders;
  reference<Customer> customers;  // read again whenever it has changed; or {refreshed_every(1h)}, {refreshed_once()}
  output<NamedOrder> named_orders;
};

constexpr auto implement(const NameOrders& t) {
  return left_lookup_join(t.orders, t.customers, on<"customer">) | select<NamedOrder>();
}

struct NamedOrders {
  extract<Order, "orders"> orders;
  extract<Payment, "payments"> payments;
  extract<Customer, "customers"> customers;
  step<FindPaid, "orders.valid", "payments.valid"> find;
  step<NameOrders, "find.paid", "customers.valid"> name;
  load<NamedOrder, "named_orders", "name.named_orders"> named_orders;
};

int main() {
  const auto at = [](int minute) { return timestamp{minute * 60'000'000LL}; };
  auto orders = std::make_shared<memory_source<Order>>();
  auto payments = std::make_shared<memory_source<Payment>>();
  auto customers = std::make_shared<memory_source<Customer>>();
  auto named_orders = std::make_shared<memory_sink<NamedOrder>>();
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.assets["orders"].made_source = orders;
  where_it_runs.assets["payments"].made_source = payments;
  where_it_runs.assets["customers"].made_source = customers;
  where_it_runs.assets["named_orders"].made_sink = named_orders;

  orders->add({{1, 7, at(1)}, {2, 7, at(2)}, {3, 8, at(3)}});
  payments->add({{1, at(5)}, {1, at(6)}, {3, at(9)}});
  customers->replace({{7, text("Ada")}});

  const auto done = run(NamedOrders{}, where_it_runs);
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return 1;
  }
  for (const NamedOrder& each : named_orders->rows())
    std::printf("order %lld of %s\n", static_cast<long long>(each.id), each.name ? each.name->value.c_str() : "a stranger");
  return 0;
}
