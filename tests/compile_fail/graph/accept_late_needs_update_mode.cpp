// expect: late rows correct results that are out already, which only update mode can replace; give the contract of this load a primary key, or leave accept_late out
// names: "totals"
// names: "sum.totals"
// means: In append mode each result comes out once, and a correction would be a second row of the same window. The culprits
// means: are the load and the result that it reads.
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
  return t.sales
       | watermark<"time">(1min)
       | tumbling<"time">(1h)
       | accept_late(30min)
       | aggregate<Total>(named<"amount"> = sum(field<"amount">));
}

struct Totals {
  extract<Sale, "sales"> sales;
  step<SumSales, "sales.valid"> sum;
  load<Total, "totals", "sum.totals"> totals;
};

void check() { enforce(pipeline_verdict<Totals>{}); }
