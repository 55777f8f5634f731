#include "support/catch.hpp"

#include <etlantic/core/rfc3339.hpp>
#include <etlantic/kernel/calendar_grid.hpp>
#include <etlantic/kernel/window_split.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace etlantic;
using kernel::calendar_grid;

namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

calendar_grid grid(calendar_period period, std::string_view zone) { return {period, **find_time_zone(zone)}; }

constexpr std::int64_t days_of(std::int64_t year, unsigned month, unsigned day) {
  return days_from_civil(year, month, day);
}

// Periods are numbered without gaps, also before 1970 and before the year 0.
static_assert(calendar::month.number_of(days_of(1970, 1, 31)) == calendar::month.number_of(days_of(1970, 1, 1)));
static_assert(calendar::month.number_of(days_of(1969, 12, 31)) == calendar::month.number_of(days_of(1970, 1, 1)) - 1);
static_assert(calendar::month.first_day_of(calendar::month.number_of(days_of(-1, 12, 31))) == days_of(-1, 12, 1));
static_assert(calendar::quarter.first_day_of(calendar::quarter.number_of(days_of(1969, 9, 30))) == days_of(1969, 7, 1));
static_assert(calendar::year.first_day_of(calendar::year.number_of(days_of(2024, 12, 31))) == days_of(2024, 1, 1));
static_assert(calendar::week.first_day_of(calendar::week.number_of(0)) == -3);  // the Monday before 1970-01-01
static_assert(calendar::week.starting(std::chrono::Thursday).first_day_of(0) == 0);

}  // namespace

TEST_CASE("at the ends of the range of times windows of a calendar stop instead of wrapping") {
  for (const calendar_period period : {calendar::day, calendar_period(calendar::week), calendar::month, calendar::year})
    for (const char* zone : {"UTC", "Europe/Berlin", "America/New_York"}) {
      INFO(zone << " " << name_of(period.unit));
      calendar_grid windows = grid(period, zone);
      const auto last = windows.window_of(most);
      CHECK(last.end == most);
      CHECK(last.start > most - 367 * std::int64_t{86'400'000'000});
      CHECK(windows.window_of(most - 1).start == last.start);
      const auto first = windows.window_of(least);
      CHECK(first.start == least);
      CHECK(first.end < least + 367 * std::int64_t{86'400'000'000});
      CHECK(windows.window_of(first.end).start == first.end);
    }
}

TEST_CASE("times all over the years find their windows, more of them than are kept") {
  calendar_grid windows = grid(calendar::day, "Europe/Berlin");
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t time =
        std::uniform_int_distribution<std::int64_t>(-2'000'000'000'000'000, 4'000'000'000'000'000)(random);
    const auto found = windows.window_of(time);
    REQUIRE(found.contains(time));
    const auto fresh = grid(calendar::day, "Europe/Berlin").window_of(time);
    REQUIRE((found.start == fresh.start && found.end == fresh.end));
  }
}

TEST_CASE("rows are sorted by windows of a calendar and keep their order within one") {
  calendar_grid windows = grid(calendar::month, "UTC");
  std::vector<std::int64_t> times;
  std::vector<std::uint16_t> rows;
  for (std::uint16_t i = 0; i < 300; ++i) {
    times.push_back((i % 7) * std::int64_t{20} * 86'400'000'000 - (i % 3));
    rows.push_back(i);
  }
  kernel::window_split split;
  std::int64_t before = least;
  std::size_t seen = 0;
  split.for_each(times.data(), rows.data(), rows.size(), kernel::range_of(times.data(), rows.data(), rows.size()),
                 windows, [&](kernel::window_bounds bounds, const std::uint16_t* chosen, std::size_t count) {
                   REQUIRE(bounds.start > before);
                   before = bounds.start;
                   seen += count;
                   for (std::size_t i = 0; i < count; ++i) {
                     REQUIRE(bounds.contains(times[chosen[i]]));
                     if (i > 0) REQUIRE(chosen[i - 1] < chosen[i]);
                   }
                 });
  CHECK(seen == rows.size());
}
