#pragma once
#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace etlantic {

/// A length of time in microseconds. `15min` and `1h` convert to it.
using duration = std::chrono::microseconds;

/// A point in time: microseconds since 1970-01-01T00:00:00Z, negative before.
struct timestamp {
  std::int64_t microseconds = 0;

  friend constexpr auto operator<=>(timestamp, timestamp) = default;
  friend constexpr timestamp operator+(timestamp t, duration d) { return {t.microseconds + d.count()}; }
  friend constexpr timestamp operator-(timestamp t, duration d) { return {t.microseconds - d.count()}; }
  friend constexpr duration operator-(timestamp a, timestamp b) { return duration{a.microseconds - b.microseconds}; }
};

/// A calendar day: days since 1970-01-01.
struct date {
  std::int32_t days = 0;

  friend constexpr auto operator<=>(date, date) = default;
};

/// Quotient rounded towards minus infinity; `divisor` is positive.
constexpr std::int64_t floor_divide(std::int64_t dividend, std::int64_t divisor) {
  const std::int64_t quotient = dividend / divisor;
  return quotient - (dividend % divisor < 0);
}

/// Largest multiple of a millisecond that is not later, as watermarks are kept (Spark's rule).
constexpr timestamp floor_to_millisecond(timestamp t) { return {floor_divide(t.microseconds, 1000) * 1000}; }

/// Days since 1970-01-01 of a day of the proleptic Gregorian calendar.
/// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
constexpr std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) {
  year -= month <= 2;
  const std::int64_t era = floor_divide(year, 400);
  const auto year_of_era = static_cast<unsigned>(year - era * 400);
  const unsigned day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const unsigned day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + static_cast<std::int64_t>(day_of_era) - 719468;
}

struct civil_day {
  std::int64_t year;
  unsigned month;
  unsigned day;
};

/// The inverse of days_from_civil; same source.
constexpr civil_day civil_from_days(std::int64_t days) {
  days += 719468;
  const std::int64_t era = floor_divide(days, 146097);
  const auto day_of_era = static_cast<unsigned>(days - era * 146097);
  const unsigned year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned shifted_month = (5 * day_of_year + 2) / 153;
  const unsigned month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return {static_cast<std::int64_t>(year_of_era) + era * 400 + (month <= 2), month,
          day_of_year - (153 * shifted_month + 2) / 5 + 1};
}

}  // namespace etlantic
