#include <etlantic/core/time.hpp>
#include <etlantic/kernel/window.hpp>

#include <cstdint>
#include <limits>

namespace etlantic::kernel {
namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t hour = 3600 * second;
constexpr std::int64_t day = 24 * hour;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

constexpr bool falls_into(std::int64_t time, std::int64_t length, std::int64_t offset, std::int64_t start,
                          std::int64_t end) {
  const window_bounds found = tumbling_window(time, length, offset);
  return found.start == start && found.end == end && found.contains(time);
}

static_assert(falls_into(0, 10, 0, 0, 10) && falls_into(9, 10, 0, 0, 10) && falls_into(10, 10, 0, 10, 20));
static_assert(!tumbling_window(0, 10, 0).contains(10) && !tumbling_window(0, 10, 0).contains(-1));

// WIN-01: times before 1970, with offset 5 s and windows of 10 s, then one microsecond before 1970.
constexpr std::int64_t last_day_of_1969 = days_from_civil(1969, 12, 31) * day;
static_assert(falls_into(last_day_of_1969 + 2 * second, 10 * second, 5 * second,  //
                         last_day_of_1969 - 5 * second, last_day_of_1969 + 5 * second));
static_assert(falls_into(last_day_of_1969 + 12 * second, 10 * second, 5 * second,  //
                         last_day_of_1969 + 5 * second, last_day_of_1969 + 15 * second));
static_assert(falls_into(-1, 10 * second, 0, -10 * second, 0));

// An offset in either direction cuts the same windows as one that is a length away.
static_assert(falls_into(0, 10, 3, -7, 3) && falls_into(0, 10, -7, -7, 3) && falls_into(-8, 10, 3, -17, -7));
static_assert(falls_into(0, 1, 0, 0, 1) && falls_into(-5, 1, 0, -5, -4));

// WIN-11: at the ends of the range a window stops there; it never ends before it starts.
constexpr window_bounds last = tumbling_window(greatest - 1, hour, 0);
static_assert(last.start <= greatest - 1 && last.start > greatest - hour && last.start % hour == 0);
static_assert(last.end == greatest && last.contains(greatest - 1));
constexpr window_bounds first = tumbling_window(least, hour, 0);
static_assert(first.start == least && first.end > least && first.end % hour == 0 && first.contains(least));
static_assert(tumbling_window(greatest, hour, -hour + 1).end == greatest);
static_assert(tumbling_window(least, hour, hour - 1).start == least);
static_assert(tumbling_window(0, greatest, 0).end == greatest);

// WIN-03: length 10, slide 3; the first time is in 4 windows, the others are in 3.
constexpr window_grid by_three{10, 3, 0};
constexpr bool spans(std::int64_t time, std::int64_t first_window, std::int64_t last_window) {
  return by_three.first_start(time) == first_window && by_three.last_start(time) == last_window;
}
static_assert(by_three.pane_length() == 1 && !by_three.tumbles());
static_assert(spans(27, 18, 27) && spans(34, 27, 33) && spans(56, 48, 54) && spans(-1, -9, -3) && spans(-10, -18, -12));
static_assert(by_three.last_window(27).start == 27 && by_three.last_window(27).end == 37);

// WIN-04: length 10, slide 5.
constexpr window_grid by_five{10, 5, 0};
static_assert(by_five.pane_length() == 5 && by_five.first_start(30) == 25 && by_five.last_start(30) == 30);
static_assert(by_five.first_start(29) == 20 && by_five.last_start(29) == 25);

// A window is closed by a watermark at its end; a row is late when its last window is closed.
constexpr closed_windows until_thirty = closed_windows::up_to(30, by_five);
static_assert(until_thirty.contains(20) && !until_thirty.contains(25));
static_assert(until_thirty.covers(24) && !until_thirty.covers(25));
static_assert(!closed_windows::up_to(29, by_five).contains(20) && closed_windows::up_to(29, by_five).contains(15));
static_assert(!closed_windows{}.covers(least) && closed_windows::up_to(greatest, by_five).covers(greatest));
static_assert(!closed_windows::up_to(least, by_five).covers(least));
constexpr window_grid tumbling_by_ten{10, 10, 3};
static_assert(closed_windows::up_to(13, tumbling_by_ten).covers(12) &&
              !closed_windows::up_to(13, tumbling_by_ten).covers(13));
static_assert(closed_windows::up_to(12, tumbling_by_ten).covers(2) &&
              !closed_windows::up_to(12, tumbling_by_ten).covers(3));

}  // namespace
}  // namespace etlantic::kernel
