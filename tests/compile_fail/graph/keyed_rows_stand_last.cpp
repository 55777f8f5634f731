// expect: groups, windows, watermarks and operators with state behind top, latest_by, lag or process must stand in a step of their own
// names: Trade
// means: The rows come out later than they came in, so that the event time in them no longer says what the watermark
// means: of this step has passed. Filters, derived columns and selections may stand behind them; what keeps state
// means: goes into a step behind this one.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/deduplicate.hpp>
#include <etlantic/graph/lag.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  std::vector<text> tags;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | lag<"price"> | deduplicate<"symbol", "time"> | into("out");
#else
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | deduplicate<"symbol", "time"> | lag<"price"> | into("out");
#endif
