// expect: the second side of a lookup join must be a reference<C> of the transformation, or filters, derived columns and selections behind one
// names: Customer
// means: An input<C> is a stream: its rows come batch by batch. Declare `reference<C> name;` in its place, and the extract
// means: that it reads is read as a whole.
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
constexpr auto rows = lookup_join(orders, input<Customer>{1}, on<"customer">);
#else
constexpr auto rows = lookup_join(orders, customers, on<"customer">);
#endif
