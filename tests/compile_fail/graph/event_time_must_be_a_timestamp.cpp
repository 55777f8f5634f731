// expect: the event time must be a timestamp field
// names: Tick
// names: "price"
// names: double
// means: Watermarks and windows measure event time, which is a field of type timestamp. A number of seconds can be
// means: declared as epoch<std::chrono::seconds> in the contract.
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
constexpr auto rows = from<Tick>("ticks") | watermark<"price">(1min);
#else
constexpr auto rows = from<Tick>("ticks") | watermark<"time">(1min);
#endif
