// expect: this is a deduplication that never forgets: no key is the event time of a watermark; make it one, use
// deduplicate_within_watermark, or say .keeping_every_key() names: "event_id" means: What a deduplication has seen must
// be kept until no row of that key can come any more, which only a watermark means: can tell. With the event time among
// the keys, a key is forgotten when the watermark has reached it; means: deduplicate_within_watermark forgets it one
// delay behind its first row. Where neither will do and the number of means: keys is limited by nature,
// `deduplicate<"event_id">.keeping_every_key()` says so.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/deduplicate.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Event {
  text event_id;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Event>("events") | watermark<"time">(15min) | deduplicate<"event_id">;
#else
constexpr auto rows = from<Event>("events") | watermark<"time">(15min) | deduplicate<"event_id", "time">;
#endif
