#pragma once
#include <etlantic/core/time.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>

// The parts of days and times in UTC, by the proleptic Gregorian calendar. Everything rounds towards the past, so that
// times before 1970 have the same parts as those behind it.

namespace etlantic {

inline constexpr std::int64_t microseconds_of_day = 86'400'000'000;

constexpr date date_of_time(timestamp time) {
  return {static_cast<std::int32_t>(floor_divide(time.microseconds, microseconds_of_day))};
}

/// The day's first microsecond, or nothing for days that lie beyond 64 bits of microseconds (290,000 years from 1970).
constexpr std::optional<timestamp> time_of_date(date day) {
  timestamp made;
  if (__builtin_mul_overflow(std::int64_t{day.days}, microseconds_of_day, &made.microseconds)) return {};
  return made;
}

/// Microseconds since midnight.
constexpr std::int64_t time_of_day(timestamp time) {
  const std::int64_t rest = time.microseconds % microseconds_of_day;
  return rest < 0 ? rest + microseconds_of_day : rest;
}

/// Monday is 1, Sunday 7, as ISO 8601 counts. 1970-01-01 was a Thursday.
constexpr std::int32_t iso_day_of_week(date day) {
  const std::int64_t since_monday = (std::int64_t{day.days} + 3) % 7;
  return static_cast<std::int32_t>(since_monday < 0 ? since_monday + 7 : since_monday) + 1;
}

constexpr std::int32_t day_number_in_year(date day) {
  return static_cast<std::int32_t>(day.days - days_from_civil(civil_from_days(day.days).year, 1, 1)) + 1;
}

/// A unit of the calendar that times are truncated to.
template <class Unit>
concept CalendarUnit = std::is_same_v<Unit, std::chrono::minutes> || std::is_same_v<Unit, std::chrono::hours> ||
                       std::is_same_v<Unit, std::chrono::days> || std::is_same_v<Unit, std::chrono::weeks> ||
                       std::is_same_v<Unit, std::chrono::months> || std::is_same_v<Unit, std::chrono::years>;

/// The begin of the minute, hour, day, week (Monday), month or year; nothing where that lies before the first
/// timestamp.
template <CalendarUnit Unit>
constexpr std::optional<timestamp> truncated_to(timestamp time) {
  if constexpr (std::is_same_v<Unit, std::chrono::minutes> || std::is_same_v<Unit, std::chrono::hours>) {
    constexpr std::int64_t length = std::chrono::microseconds(Unit{1}).count();
    timestamp made;
    if (__builtin_mul_overflow(floor_divide(time.microseconds, length), length, &made.microseconds)) return {};
    return made;
  } else {
    const date day = date_of_time(time);
    if constexpr (std::is_same_v<Unit, std::chrono::days>)
      return time_of_date(day);
    else if constexpr (std::is_same_v<Unit, std::chrono::weeks>)
      return time_of_date({day.days - iso_day_of_week(day) + 1});
    else {
      const civil_day civil = civil_from_days(day.days);
      const unsigned month = std::is_same_v<Unit, std::chrono::months> ? civil.month : 1;
      return time_of_date({static_cast<std::int32_t>(days_from_civil(civil.year, month, 1))});
    }
  }
}

}  // namespace etlantic
