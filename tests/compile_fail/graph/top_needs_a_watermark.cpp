// expect: top gives out the rows of closed windows and needs a watermark that closes them; add watermark<"field">(delay) before it
// names: "price"
// means: Only a watermark says that no row of a window can come any more. Without one nothing would ever come out.
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
constexpr auto rows = from<Trade>("trades") | tumbling<"time">(1h) | top<3, "price">;
#else
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | tumbling<"time">(1h) | top<3, "price">;
#endif
