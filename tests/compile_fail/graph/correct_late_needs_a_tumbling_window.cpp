// expect: correct_late stands behind a tumbling window, of a length or of the calendar, that follows a watermark: only
// there a late row misses one window, which a correction run can compute again names: Sale means: A late row of sliding
// windows may have missed some of them, and one of a session could join two that are closed. means: The culprit is the
// contract whose rows were to be cut into windows.
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

struct SumSales {
  input<Sale> sales;
  output<Total> totals;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto windows = sliding<"time">(1h, 15min);
#else
constexpr auto windows = tumbling<"time">(1h);
#endif

constexpr auto implement(const SumSales& t) {
  return t.sales | watermark<"time">(1min) | windows | correct_late() |
         aggregate<Total>(named<"amount"> = sum(field<"amount">));
}

struct Totals {
  extract<Sale, "sales"> sales;
  step<SumSales, "sales.valid"> sum;
  load<Total, "totals", "sum.totals"> totals;
};

void check() { enforce(pipeline_verdict<Totals>{}); }
