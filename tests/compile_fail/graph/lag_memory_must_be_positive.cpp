// expect: the time after which lag forgets must be greater than zero
// names: "compare"
// means: A row that comes so long behind the one before it, or longer, has none before it: with a time of zero no row
// means: would ever have one. The culprit is the step whose parameters give it.
#include <etlantic/graph/group_by.hpp>
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
struct Change {
  text symbol;
  double price;
  std::optional<double> lag_price;
};

#ifdef ETLANTIC_MUST_FAIL
struct Compare {
  input<Trade> trades;
  parameter<duration> memory{0s};
  output<Change> changes;
};
#else
struct Compare {
  input<Trade> trades;
  parameter<duration> memory{1h};
  output<Change> changes;
};
#endif
constexpr auto implement(const Compare& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | lag<"price">.forget_after(t.memory) | select<Change>();
}

struct Changes {
  extract<Trade, "trades"> trades;
  step<Compare, "trades.valid"> compare;
  load<Change, "changes", "compare.changes"> changes;
};

void check() { enforce(pipeline_verdict<Changes>{}); }
