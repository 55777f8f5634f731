#include "support/catch.hpp"

#include <etlantic/runtime/watermark_clock.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct followed {
  watermark_clock clock;

  /// Ends a batch in which `a` and `b` saw these times; gives the watermark after it, in seconds.
  std::int64_t batch(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    const auto time = [](std::optional<std::int64_t> seconds) {
      return seconds ? std::optional(timestamp{*seconds * 1'000'000}) : std::nullopt;
    };
    clock.saw("a", time(a));
    clock.saw("b", time(b));
    clock.end_batch(clock.watermark());
    return clock.watermark().microseconds / 1'000'000;
  }
};

}  // namespace

TEST_CASE("WM-10: of two inputs the smaller watermark governs") {
  followed two;
  two.clock.add("a", 10s);
  two.clock.add("b", 5s);
  CHECK(two.batch(11, {}) == 0);
  CHECK(two.batch({}, 6) == 1);
  CHECK(two.batch({}, 8) == 1);
  CHECK(two.batch(21, {}) == 3);
  CHECK(two.batch({}, 39) == 11);
  CHECK(two.batch(31, {}) == 21);
  CHECK(two.batch(41, {}) == 31);
  CHECK(two.batch(51, {}) == 34);
}

TEST_CASE("WM-11: by policy the greater of two watermarks governs, and an input without data holds nobody up") {
  followed two;
  two.clock.set_policy(watermark_policy::max);
  two.clock.add("a", 10s);
  two.clock.add("b", 5s);
  CHECK(two.batch(11, {}) == 1);
  CHECK(two.batch({}, 39) == 34);
  CHECK(two.batch(41, 20) == 34);
}

TEST_CASE("RC-17: watermarks come back by the names of their steps, not by their places") {
  followed before;
  before.clock.add("a", 10s);
  before.clock.add("b", 5s);
  CHECK(before.batch(200, 150) == 145);
  followed after;
  after.clock.add("b", 5s);
  after.clock.add("a", 10s);
  after.clock.restore(before.clock.watermark(), before.clock.in_force(), before.clock.steps());
  CHECK(after.batch(201, {}) == 145);
}

TEST_CASE("WM-06: the watermark is in whole milliseconds") {
  watermark_clock clock;
  clock.add("a", 0s);
  clock.saw("a", timestamp{10'000'999});
  clock.end_batch({});
  CHECK(clock.watermark() == timestamp{10'000'000});
}

TEST_CASE("the watermark starts at 0 and times before 1970 do not move it") {
  watermark_clock clock;
  clock.add("a", 10s);
  clock.saw("a", timestamp{INT64_MIN});
  clock.end_batch({});
  CHECK(clock.watermark() == timestamp{0});
  CHECK_FALSE(clock.has_moved());
}

TEST_CASE("a query without a watermark stays at 0") {
  watermark_clock clock;
  clock.end_batch({});
  CHECK(clock.watermark() == timestamp{0});
}

TEST_CASE("an idle input holds nobody back; what it let pass is not taken back when it speaks again") {
  watermark_clock clock;
  clock.add("a", 10s);
  clock.add("b", 5s);
  clock.saw("a", timestamp{100'000'000});
  clock.end_batch({}, {});
  CHECK(clock.watermark() == timestamp{});
  clock.let_go({"b"});
  CHECK(clock.watermark() == timestamp{90'000'000});
  clock.saw("b", timestamp{50'000'000});
  clock.end_batch(clock.watermark(), {});
  CHECK(clock.watermark() == timestamp{90'000'000});
  clock.let_go({"a", "b"});  // nobody is left to say how far
  CHECK(clock.watermark() == timestamp{90'000'000});

  // A replay begins with what the commit before it recorded, and the watermark of its plan.
  watermark_clock replayed;
  replayed.add("a", 10s);
  replayed.add("b", 5s);
  replayed.saw("a", timestamp{100'000'000});
  replayed.saw("b", timestamp{50'000'000});
  replayed.end_batch({90'000'000}, {});
  CHECK(replayed.watermark() == clock.watermark());
}
