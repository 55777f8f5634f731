// expect: latest_by needs an event time to tell which row is the newest; add watermark<"field">(delay) before it
// names: "symbol"
// means: The newest row of a key is the one with the greatest event time, which the watermark names. It also says
// means: when a key can be forgotten: what comes behind it is newer, or late.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/latest_by.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  std::vector<text> tags;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Trade>("trades") | latest_by<"symbol">;
#else
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | latest_by<"symbol">;
#endif
