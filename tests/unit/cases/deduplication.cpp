#include "support/pipeline_case.hpp"

#include <etlantic/etlantic.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Timed {
  timestamp ts;
};
struct KeyTimed {
  text key;
  timestamp ts;
};
struct Identified {
  text id;
  timestamp ts;
};
struct IdentifiedPayload {
  text id;
  timestamp ts;
  text payload;
};
struct KeyPayload {
  text key;
  timestamp ts;
  std::optional<text> payload;
};
struct Id {
  text id;
};
struct WindowCount {
  timestamp window_start, window_end;
  std::int64_t count;
};

constexpr side_assets sides{.late = "late"};

}  // namespace

TEST_CASE("DED-01: with the event time in the key, a key is forgotten when the watermark has reached it") {
  pipeline_case::check("DED-01",
                       lower(from<Timed>("in") | watermark<"ts">(10s) | deduplicate<"ts"> | into("out", sides)));
}
TEST_CASE("DED-03: within the watermark, a key is forgotten one delay behind its first row") {
  pipeline_case::check("DED-03", lower(from<KeyTimed>("in") | watermark<"ts">(2s) |
                                       deduplicate_within_watermark<"key"> | into("out", sides)));
}
TEST_CASE("DED-04: a key without the event time is never forgotten, if that is said") {
  pipeline_case::check("DED-04", lower(from<KeyTimed>("in") | watermark<"ts">(10s) |
                                       deduplicate<"key">.keeping_every_key() | into("out", sides)));
}
TEST_CASE("DED-06: of two duplicates in one batch the first in source order stays, as it came") {
  pipeline_case::check("DED-06", lower(from<IdentifiedPayload>("in") | watermark<"ts">(10s) |
                                       deduplicate<"id">.keeping_every_key() | into("out", sides)));
}
TEST_CASE("DED-08: columns outside the key do not count") {
  pipeline_case::check("DED-08", lower(from<KeyPayload>("in") | watermark<"ts">(10s) |
                                       deduplicate<"key">.keeping_every_key() | into("out", sides)));
}
TEST_CASE("OM-06: a window over what a deduplication gives on is final with the watermark of the same batch") {
  pipeline_case::check(
      "OM-06", lower(from<Timed>("in") | watermark<"ts">(10s) | deduplicate<"ts"> | tumbling<"ts">(5s) |
                     aggregate<WindowCount>(named<"count"> = count()) | into<output_mode::append>("out", sides)));
}
TEST_CASE("WM-20: late rows are dropped whatever columns are selected behind the deduplication") {
  const auto unique = from<Identified>("in") | watermark<"ts">(10s) | deduplicate<"id">.keeping_every_key();
  pipeline_case::check("WM-20a", lower(unique | into("out", sides)));
  pipeline_case::check("WM-20b", lower(unique | select<Id>() | into("out", sides)));
}
TEST_CASE("WM-24a: a row at exactly time 0 is late for a deduplication") {
  pipeline_case::check(
      "WM-24a", lower(from<Identified>("in") | watermark<"ts">(10s) | deduplicate<"id", "ts"> | into("out", sides)));
}
