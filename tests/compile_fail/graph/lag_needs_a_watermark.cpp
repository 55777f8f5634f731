// expect: lag needs a watermark to tell which rows are in order; add watermark<"field">(delay) before it
// names: "price"
// means: Which row stands before another in event time is known when none between them can come any more, and only a
// means: watermark says so.
#include <etlantic/graph/bare.hpp>
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
constexpr auto rows = from<Trade>("trades") | lag<"price">;
#else
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | lag<"price">;
#endif
