// expect: a reference must read the valid rows of an extract
// names: "names"
// names: "clean.rows"
// means: A reference is read whole from its source. What a step would do to its rows can stand before the lookup join:
// means: `lookup_join(t.orders, t.customers | where(...), ...)`.
#include <etlantic/graph/lookup_join.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Order {
  std::int64_t customer;
  timestamp ordered_at;
};
struct Customer {
  std::int64_t customer;
  timestamp changed_at;
  text name;
};
struct Named {
  std::int64_t customer;
  text name;
};

struct NameCustomers {
  input<Order> orders;
  reference<Customer> customers;
  output<Named> named_orders;
};
constexpr auto implement(const NameCustomers& t) {
  return lookup_join(t.orders, t.customers, on<"customer">) | select<Named>();
}
struct Clean {
  input<Customer> customers;
  output<Customer> rows;
};
constexpr auto implement(const Clean& t) { return t.customers | where(field<"customer"> > 0); }

struct Shop {
  extract<Order, "orders"> orders;
  extract<Customer, "customers"> customers;
  step<Clean, "customers.valid"> clean;
#ifdef ETLANTIC_MUST_FAIL
  step<NameCustomers, "orders.valid", "clean.rows"> names;
#else
  extract<Customer, "known_customers"> known;
  step<NameCustomers, "orders.valid", "known.valid"> names;
#endif
  load<Customer, "clean_customers", "clean.rows"> clean_customers;
  load<Named, "named_orders", "names.named_orders"> named_orders;
};

void check() { enforce(pipeline_verdict<Shop>{}); }
