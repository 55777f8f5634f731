// expect: a reference is no stream; only the second side of a lookup_join can be one
// names: Customer
// means: A reference is there as a whole in every batch, and never comes in. To work on its rows as they come, declare an
// means: input<C> and read another extract.
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

constexpr input<Order> orders{0};
constexpr reference<Customer> customers{{}, 1};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = inner_join(orders, customers, on<"customer">, unbounded());
#else
constexpr auto rows = lookup_join(orders, customers, on<"customer">);
#endif
