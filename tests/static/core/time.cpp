#include <etlantic/core/time.hpp>

#include <cstdint>
#include <limits>

namespace etlantic {
namespace {

using namespace std::chrono_literals;

static_assert(floor_divide(7, 2) == 3 && floor_divide(-7, 2) == -4 && floor_divide(-8, 2) == -4 &&
              floor_divide(0, 5) == 0);
static_assert(floor_divide(-1, 1000) == -1 && floor_divide(-1000, 1000) == -1 && floor_divide(-1001, 1000) == -2);
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
static_assert(floor_divide(least, 1) == least && floor_divide(least + 1, 2) == least / 2);

static_assert(floor_to_millisecond({1'999}).microseconds == 1'000);
static_assert(floor_to_millisecond({-1}).microseconds == -1'000);
static_assert(floor_to_millisecond({-1'000}).microseconds == -1'000);

// Days that calendars print.
static_assert(days_from_civil(1970, 1, 1) == 0 && days_from_civil(1969, 12, 31) == -1);
static_assert(days_from_civil(2000, 3, 1) == 11'017 && days_from_civil(2000, 2, 29) == 11'016);
static_assert(days_from_civil(1900, 3, 1) - days_from_civil(1900, 2, 28) == 1, "1900 was no leap year");
static_assert(days_from_civil(2024, 3, 1) - days_from_civil(2024, 2, 28) == 2);
static_assert(days_from_civil(1, 1, 1) == -719'162 && days_from_civil(9999, 12, 31) == 2'932'896);

constexpr bool same(civil_day a, civil_day b) { return a.year == b.year && a.month == b.month && a.day == b.day; }
static_assert(same(civil_from_days(0), {1970, 1, 1}) && same(civil_from_days(-1), {1969, 12, 31}));
static_assert(same(civil_from_days(-719'162), {1, 1, 1}) && same(civil_from_days(2'932'896), {9999, 12, 31}));

// Days follow each other without gap, there and back, through more than one rule for leap years.
constexpr bool round_trip(std::int64_t first, std::int64_t last) {
  civil_day before = civil_from_days(first - 1);
  for (std::int64_t day = first; day <= last; ++day) {
    const civil_day now = civil_from_days(day);
    if (days_from_civil(now.year, now.month, now.day) != day) return false;
    const bool next_day = now.year == before.year && now.month == before.month && now.day == before.day + 1;
    const bool first_of_month =
        now.day == 1 && before.day >= 28 &&
        (now.month == before.month + 1 ? now.year == before.year
                                       : now.month == 1 && before.month == 12 && now.year == before.year + 1);
    if (!next_day && !first_of_month) return false;
    before = now;
  }
  return true;
}
static_assert(round_trip(-400, 800));
static_assert(round_trip(days_from_civil(1899, 12, 1), days_from_civil(1900, 3, 5)));
static_assert(round_trip(days_from_civil(1999, 12, 1), days_from_civil(2001, 3, 5)));
static_assert(round_trip(days_from_civil(-1, 12, 1), days_from_civil(1, 3, 5)));

static_assert(timestamp{5} + 1ms == timestamp{1'005} && timestamp{5} - 1ms == timestamp{-995});
static_assert(timestamp{3} - timestamp{10} == duration{-7});

}  // namespace
}  // namespace etlantic
