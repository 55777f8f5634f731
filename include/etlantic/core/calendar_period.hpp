#pragma once
#include <etlantic/core/time.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace etlantic {

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of a name outside
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
enum class calendar_unit : std::uint8_t { day, week, month, quarter, year };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

constexpr std::string_view name_of(calendar_unit unit) {
  constexpr std::string_view names[] = {"day", "week", "month", "quarter", "year"};
  return names[static_cast<int>(unit)];
}

/// A period of the calendar whose length is not always the same. Its periods are numbered without gaps.
struct calendar_period {
  calendar_unit unit = calendar_unit::day;
  int first_weekday = 1;  ///< of a week: 0 is Sunday, 6 Saturday

  friend constexpr bool operator==(calendar_period, calendar_period) = default;

  /// The number of the period that a day (days since 1970-01-01) lies in.
  constexpr std::int64_t number_of(std::int64_t day) const {
    if (unit == calendar_unit::day) return day;
    if (unit == calendar_unit::week) return floor_divide(day - first_day_of_weeks(), 7);
    const civil_day civil = civil_from_days(day);
    return civil.year * periods_of_year() + (civil.month - 1) * periods_of_year() / 12;
  }

  /// The first day of the period with that number.
  constexpr std::int64_t first_day_of(std::int64_t number) const {
    if (unit == calendar_unit::day) return number;
    if (unit == calendar_unit::week) return number * 7 + first_day_of_weeks();
    const std::int64_t year = floor_divide(number, periods_of_year());
    const std::int64_t month = (number - year * periods_of_year()) * 12 / periods_of_year() + 1;
    return days_from_civil(year, static_cast<unsigned>(month), 1);
  }

 private:
  constexpr std::int64_t first_day_of_weeks() const { return first_weekday - 4; }  // 1970-01-01 was a Thursday
  constexpr std::int64_t periods_of_year() const {
    return unit == calendar_unit::month ? 12 : unit == calendar_unit::quarter ? 4 : 1;
  }
};

/// Periods of the calendar, for windows that are as long as they are: `tumbling<"time">(calendar::month)`.
namespace calendar {

struct week_period : calendar_period {
  /// Weeks that start on another day than Monday: `calendar::week.starting(std::chrono::Sunday)`.
  constexpr calendar_period starting(std::chrono::weekday first) const {
    return {calendar_unit::week, static_cast<int>(first.c_encoding() % 7)};
  }
};

inline constexpr calendar_period day{calendar_unit::day};
inline constexpr week_period week{{calendar_unit::week}};
inline constexpr calendar_period month{calendar_unit::month};
inline constexpr calendar_period quarter{calendar_unit::quarter};
inline constexpr calendar_period year{calendar_unit::year};

}  // namespace calendar
}  // namespace etlantic
