// expect: correct_late needs rows as the extracts gave them: what keeps state or joins in front of the window decides
// by itself which rows are late, and would not decide the same in a correction run names: Sale means: Put the
// aggregation with correct_late in front, or leave correct_late out. The culprit is the contract whose rows means: were
// to be cut into windows; where the state is kept in a step before, they are that step and its output.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/deduplicate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Sale {
  std::int64_t id;
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
constexpr auto implement(const SumSales& t) {
  return t.sales
       | watermark<"time">(1min)
       | deduplicate<"id", "time">
       | tumbling<"time">(1h)
       | correct_late()
       | aggregate<Total>(named<"amount"> = sum(field<"amount">));
}
#else
constexpr auto implement(const SumSales& t) {
  return t.sales
       | watermark<"time">(1min)
       | tumbling<"time">(1h)
       | correct_late()
       | aggregate<Total>(named<"amount"> = sum(field<"amount">));
}
#endif

struct Totals {
  extract<Sale, "sales"> sales;
  step<SumSales, "sales.valid"> sum;
  load<Total, "totals", "sum.totals"> totals;
};

void check() { enforce(pipeline_verdict<Totals>{}); }
