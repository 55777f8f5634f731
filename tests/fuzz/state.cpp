#include "fuzz/target.hpp"

#include <etlantic/etlantic.hpp>

#include <memory>
#include <vector>

// Any bytes as the saved state of a stage. A checksum stands in front of it, so that only a mistake of ours, or of
// another version, could leave such bytes; they are refused or taken, and never read behind their end.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Event {
  std::int64_t id;
  text name;
  timestamp time;
};
struct Total {
  text name;
  std::int64_t events;
  std::int64_t different;
  std::optional<text> least;
};
struct Seen {
  std::int64_t id;
  timestamp time;
};
struct Both {
  std::int64_t id;
  text name;
};

const auto timed = from<Event>("in") | watermark<"time">(1min);
const auto totals = aggregate<Total>(named<"events"> = count(), named<"different"> = count_distinct(field<"id">),
                                     named<"least"> = min(field<"name">));

std::vector<program> programs() {
  std::vector<program> made;
  const auto add = [&](const auto& pipeline) {
    auto lowered = lower(pipeline);
    test::promise(lowered.ok(), "these pipelines can be lowered");
    made.push_back(std::move(*lowered));
  };
  add(timed | group_by<"name"> | tumbling<"time">(1min) | totals | into<output_mode::append>("out"));
  add(timed | group_by<"name"> | session<"time">(1min) | totals | into<output_mode::append>("out"));
  add(timed | deduplicate<"id", "time"> | into("out"));
  add(timed | group_by<"name"> | tumbling<"time">(1min) | top<2, "id"> | into("out"));
  add(timed | group_by<"name"> | lag<"id", 1>.forget_after(1h) | select<Seen>() | into("out"));
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<program> all = programs();
  if (size == 0) return 0;
  const program& chosen = all[data[0] % all.size()];
  const std::unique_ptr<stage> step = chosen.nodes[1].make_stage(output_mode::append);
  state_reader reader({reinterpret_cast<const char*>(data) + 1, size - 1});
  const result<void> restored = step->restore(reader);
  if (!restored) {
    test::promise(!restored.error().message.empty(), "a refusal says why");
    return 0;
  }
  if (!reader.ok() || !reader.at_end()) return 0;
  // What was taken can be saved and taken again.
  state_writer saved;
  step->save(saved);
  const std::unique_ptr<stage> other = chosen.nodes[1].make_stage(output_mode::append);
  state_reader again(saved.bytes());
  test::promise(other->restore(again).ok() && again.ok() && again.at_end(), "what was saved can be restored");
  return 0;
}
