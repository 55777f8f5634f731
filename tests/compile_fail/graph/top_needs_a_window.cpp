// expect: top ranks the rows of a window; add tumbling<"field">(length) or sliding before it, or put it behind aggregate with a window
// names: "price"
// means: The first rows of an endless stream are never final: the next one may be greater. Those of a window are,
// means: once the watermark has passed its end. A session does not do: it may still grow into another one.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/top.hpp>
#include <etlantic/graph/tumbling.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  std::vector<text> tags;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | top<3, "price">;
#else
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | tumbling<"time">(1h) | top<3, "price">;
#endif
