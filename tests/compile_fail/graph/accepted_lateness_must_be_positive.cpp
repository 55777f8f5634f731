// expect: the time for which late rows are accepted must be greater than zero
// names: "sum"
// means: Without accept_late a window takes no late rows. The culprit is the step whose parameters give the time.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Sale {
  std::int64_t amount;
  timestamp time;
};

struct Total {
  timestamp window_start;
  std::int64_t amount;
  using key = primary_key<"window_start">;
};

#ifdef ETLANTIC_MUST_FAIL
struct SumSales {
  input<Sale> sales;
  parameter<duration> patience{0min};
  output<Total> totals;
};
#else
struct SumSales {
  input<Sale> sales;
  parameter<duration> patience{30min};
  output<Total> totals;
};
#endif

constexpr auto implement(const SumSales& t) {
  return t.sales
       | watermark<"time">(1min)
       | tumbling<"time">(1h)
       | accept_late(t.patience)
       | aggregate<Total>(named<"amount"> = sum(field<"amount">));
}

struct Totals {
  extract<Sale, "sales"> sales;
  step<SumSales, "sales.valid"> sum;
  load<Total, "totals", "sum.totals"> totals;
};

void check() { enforce(pipeline_verdict<Totals>{}); }
