// expect: a lookup join knows no times: it takes no bound of times, and its sides no watermark; put the watermark into the step that reads its results
// names: Order
// means: A row meets the version of the reference that its batch began with, whatever its event time, and nothing is kept that
// means: a watermark could end. A step behind this one declares the watermark where it needs one.
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
constexpr auto rows = lookup_join(orders | watermark<"ordered_at">(1min), customers, on<"customer">);
#else
constexpr auto rows = lookup_join(orders, customers, on<"customer">);
#endif
