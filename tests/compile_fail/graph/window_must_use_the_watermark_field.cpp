// expect: the window and the watermark use different event time fields
// names: "received"
// names: "time"
// means: A window closes when the watermark passes its end, so both must speak of the same time. The first culprit is
// means: the field of the window, the second that of the watermark.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/tumbling.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Tick {
  text symbol;
  double price;
  timestamp time;
  timestamp received;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Tick>("ticks") | watermark<"time">(1min) | tumbling<"received">(5min);
#else
constexpr auto rows = from<Tick>("ticks") | watermark<"time">(1min) | tumbling<"time">(5min);
#endif
