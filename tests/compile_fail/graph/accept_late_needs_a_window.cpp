// expect: accept_late stands behind a tumbling or sliding window that follows a watermark: without them, and for sessions, there is no result that late rows could correct
// names: Sale
// means: Without a watermark nothing is late. A session that a late row joins to another one has no result of its own that
// means: could be replaced.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/watermark.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Sale {
  std::int64_t amount;
  timestamp time;
};

struct Total {
  timestamp window_start;
  std::int64_t amount;
  using key = primary_key<"window_start">;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto window = session<"time">(1h);
#else
constexpr auto window = tumbling<"time">(1h);
#endif

constexpr auto totals = from<Sale>("sales")
                      | watermark<"time">(1min)
                      | window
                      | accept_late(30min)
                      | aggregate<Total>(named<"amount"> = sum(field<"amount">))
                      | into("totals");
