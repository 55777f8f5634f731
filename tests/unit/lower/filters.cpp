#include "support/catch.hpp"

#include <etlantic/testing.hpp>

#include <vector>

// Which rows a filter keeps from moving the watermark.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Payment {
  timestamp time;
  bool paid;
};
struct Window {
  timestamp window_start, window_end;
  std::int64_t payments;
};

constexpr timestamp at(std::int64_t seconds) { return {seconds * 1'000'000}; }

/// Payments of the window that begins at 0, the only one that closes, and the batch in which it comes out.
template <class Chain>
test_kit::expectation closes(const Chain& filtered, std::int64_t batch, std::int64_t payments) {
  test_kit::pipeline_test test(filtered | tumbling<"time">(10s) | aggregate<Window>(named<"payments"> = count()) |
                               into("windows"));
  test.add_events("payments", std::vector<Payment>{{at(1), true}, {at(100), false}});
  for (std::int64_t each : {2, 3, 50}) test.add_events("payments", std::vector<Payment>{{at(each), true}});
  REQUIRE(test.process_all_available());
  const std::vector<Window> window{{at(0), at(10), payments}};
  return test.expect_batch("windows", batch, window) && test.expect_table("windows", window);
}

}  // namespace

TEST_CASE("a condition beside one on the event time holds back the watermark as it does in a filter of its own") {
  const auto marked = from<Payment>("payments") | watermark<"time">(10s);
  const auto paid = field<"paid"> == true;
  const auto recent = field<"time"> >= at(0);
  // The row at 100 s is not paid: the watermark stays at 0 until the row at 50 s, and no row is late.
  CHECK(closes(marked | etlantic::where(paid) | etlantic::where(recent), 4, 3));
  CHECK(closes(marked | etlantic::where(paid && recent), 4, 3));
  CHECK(closes(marked | etlantic::where(recent && paid), 4, 3));
  CHECK(closes(marked | etlantic::where(recent && (paid && recent)), 4, 3));
}

TEST_CASE("a condition that mixes the event time with another one does not hold back the watermark") {
  const auto marked = from<Payment>("payments") | watermark<"time">(10s);
  // The row at 100 s goes, but by a condition on its time: the watermark is 90 s behind it, and 3 s is late.
  const auto mixed = field<"paid"> == true || field<"time"> < at(0);
  CHECK(closes(marked | etlantic::where(mixed), 1, 2));
}
