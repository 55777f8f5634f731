// expect: top, latest_by, lag and process need final rows; give the aggregation that they read from a watermark and a window
// names: "work"
// names: "totals.rows"
// means: Each of them decides about a row once, when it comes, so the aggregation before it may give out only rows
// means: that no later batch changes. That is the case when it has a window of an event time with a watermark.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/lag.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};
struct Latest {
  text symbol;
  timestamp time;
};
struct Totals {
  input<Trade> trades;
  output<Latest> rows;
};
struct Work {
  input<Latest> latest;
  output<Latest> rows;
};

constexpr auto implement(const Totals& t) {
#ifdef ETLANTIC_MUST_FAIL
  return t.trades | group_by<"symbol"> | aggregate<Latest>(named<"time"> = max(field<"time">));
#else
  return t.trades | select<Latest>();
#endif
}
constexpr auto implement(const Work& t) { return t.latest | watermark<"time">(1min) | lag<"symbol">; }

struct Pipeline {
  extract<Trade, "trades"> trades;
  step<Totals, "trades.valid"> totals;
  step<Work, "totals.rows"> work;
  load<Latest, "found", "work.rows"> found;
};

void check() { enforce(pipeline_verdict<Pipeline>{}); }
