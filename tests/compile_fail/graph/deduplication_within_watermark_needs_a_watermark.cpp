// expect: deduplicate_within_watermark needs a watermark; add watermark<"field">(delay) before it
// names: "event_id"
// means: A key is forgotten one delay of the watermark behind its first row, so there has to be a watermark first.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/deduplicate.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Event {
  text event_id;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Event>("events") | deduplicate_within_watermark<"event_id">;
#else
constexpr auto rows = from<Event>("events") | watermark<"time">(15min) | deduplicate_within_watermark<"event_id">;
#endif
