// expect: rows cannot be deduplicated by a struct or a list
// names: "tags"
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/deduplicate.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Event {
  text event_id;
  std::vector<text> tags;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Event>("events") | watermark<"time">(15min) | deduplicate<"tags", "time">;
#else
constexpr auto rows = from<Event>("events") | watermark<"time">(15min) | deduplicate<"event_id", "time">;
#endif
