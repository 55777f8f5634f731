// expect: this is a lag that never forgets a key; say .forget_after(duration), or .keeping_every_key()
// names: "price"
// means: The last values of every key are kept for its next row. With forget_after(1h), a row that comes an hour or
// means: more behind the one before it has none before it, and so a key can be forgotten then. Where the number of
// means: keys is limited by nature, .keeping_every_key() says so.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/group_by.hpp>
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
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | group_by<"symbol"> | lag<"price">;
#else
constexpr auto rows = from<Trade>("trades") | watermark<"time">(1min) | group_by<"symbol"> | lag<"price">.forget_after(1h);
#endif
