// expect: this stream already has a watermark
// names: "time"
// names: "received"
// means: A stream has one event time and one delay. Keep one of the two watermarks; the culprits are their fields.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/watermark.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Tick {
  text symbol;
  double price;
  timestamp time;
  timestamp received;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Tick>("ticks") | watermark<"time">(1min) | watermark<"received">(1min);
#else
constexpr auto rows = from<Tick>("ticks") | watermark<"time">(1min);
#endif
