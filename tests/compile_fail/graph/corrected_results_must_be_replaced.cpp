// expect: a correction run replaces results that are out already: publish them in append or update mode, into a
// contract with a primary key, and not into an append-only target names: "totals" names: "sum.totals" means: A
// corrected result takes the place of the one before it, which its key has to name. The culprits are the load and
// means: the result that it reads.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Sale {
  std::int64_t amount;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
struct Total {
  timestamp window_start;
  std::int64_t amount;
};
#else
struct Total {
  timestamp window_start;
  std::int64_t amount;
  using key = primary_key<"window_start">;
};
#endif

struct SumSales {
  input<Sale> sales;
  output<Total> totals;
};

constexpr auto implement(const SumSales& t) {
  return t.sales | watermark<"time">(1min) | tumbling<"time">(1h) | correct_late() |
         aggregate<Total>(named<"amount"> = sum(field<"amount">));
}

struct Totals {
  extract<Sale, "sales"> sales;
  step<SumSales, "sales.valid"> sum;
  load<Total, "totals", "sum.totals"> totals;
};

void check() { enforce(pipeline_verdict<Totals>{}); }
