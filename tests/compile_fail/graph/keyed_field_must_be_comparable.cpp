// expect: top, latest_by and lag work on fields that can be compared, and not on a struct or a list
// names: "tags"
// means: Rows are ranked by the order of a field, kept by whether keys are equal, and a value that is looked back at
// means: stands in a column of its own. Derive a field that says what is meant, such as a number or a text.
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
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | latest_by<"tags">;
#else
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | latest_by<"symbol">;
#endif
