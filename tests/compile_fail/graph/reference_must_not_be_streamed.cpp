// expect: this extract is read as a reference and as a stream; declare two, each with an asset of its own
// names: "names"
// names: "customers.valid"
// names: "clean"
// means: A stream is read on and on, a reference as a whole and again. Both can be bound to the same files.
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
#ifdef ETLANTIC_MUST_FAIL
  step<Clean, "customers.valid"> clean;
#else
  extract<Customer, "new_customers"> new_customers;
  step<Clean, "new_customers.valid"> clean;
#endif
  step<NameCustomers, "orders.valid", "customers.valid"> names;
  load<Customer, "clean_customers", "clean.rows"> clean_customers;
  load<Named, "named_orders", "names.named_orders"> named_orders;
};

void check() { enforce(pipeline_verdict<Shop>{}); }
