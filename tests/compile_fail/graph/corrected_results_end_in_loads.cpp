// expect: what keeps state behind correct_late would not learn of a correction; let a load read these results, or leave
// correct_late out names: "days" names: "hours.totals" means: A correction run replaces results in their targets.
// Windows over these windows, deduplications and joins have means: taken the old results and keep them. The culprits
// are the step that keeps state and the output that it reads.
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
  timestamp window_start, window_end;
  std::int64_t amount;
  using key = primary_key<"window_start">;
};

struct SumHours {
  input<Sale> sales;
  output<Total> totals;
};
#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const SumHours& t) {
  return t.sales | watermark<"time">(1min) | tumbling<"time">(1h) | correct_late() |
         aggregate<Total>(named<"amount"> = sum(field<"amount">));
}
#else
constexpr auto implement(const SumHours& t) {
  return t.sales | watermark<"time">(1min) | tumbling<"time">(1h) |
         aggregate<Total>(named<"amount"> = sum(field<"amount">));
}
#endif

struct SumDays {
  input<Total> hours;
  output<Total> totals;
};
constexpr auto implement(const SumDays& t) {
  return t.hours | watermark<"window_start">(0s) | tumbling<"window_start">(24h) |
         aggregate<Total>(named<"amount"> = sum(field<"amount">));
}

struct Totals {
  extract<Sale, "sales"> sales;
  step<SumHours, "sales.valid"> hours;
  step<SumDays, "hours.totals"> days;
  load<Total, "totals", "days.totals"> totals;
};

void check() { enforce(pipeline_verdict<Totals>{}); }
