// expect: top keeps at least one row, and lag looks at least one row back
// names: "price"
// means: The number is how many rows of each group and window come out, and for lag how many rows before a row the
// means: value is taken from.
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
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | tumbling<"time">(1h) | top<0, "price">;
#else
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | tumbling<"time">(1h) | top<3, "price">;
#endif
