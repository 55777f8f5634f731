#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/core/write_text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic {

namespace detail {

// Two digits, or a number above 99 when they are none.
constexpr unsigned two_digits(const char* at) {
  const auto tens = static_cast<unsigned>(at[0] - '0');
  const auto ones = static_cast<unsigned>(at[1] - '0');
  return tens > 9 || ones > 9 ? 1000 : tens * 10 + ones;
}

constexpr unsigned days_of_month(unsigned year, unsigned month) {
  constexpr unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[month - 1] + (month == 2 && leap_year ? 1u : 0u);
}

constexpr std::int64_t microseconds_per_day = 86'400'000'000;
constexpr std::int64_t first_printable_day = days_from_civil(0, 1, 1);
constexpr std::int64_t last_printable_day = days_from_civil(9999, 12, 31);

/// RFC 3339 has no text for other than four digits; the six with a sign are ISO 8601's expanded form as ECMAScript has
/// it. Only a `date` reaches seven.
constexpr char* write_year(char* to, std::int64_t year) {
  if (year >= 0 && year <= 9999) return write_padded(to, static_cast<std::uint64_t>(year), 4);
  *to++ = year < 0 ? '-' : '+';
  const auto magnitude = static_cast<std::uint64_t>(year < 0 ? -year : year);
  return write_padded(to, magnitude, magnitude < 1'000'000 ? 6 : 7);
}

constexpr char* write_day(char* to, std::int64_t days) {
  const civil_day day = civil_from_days(days);
  to = write_year(to, day.year);
  *to++ = '-';
  to = write_two(to, day.month);
  *to++ = '-';
  return write_two(to, day.day);
}

}  // namespace detail

/// A calendar day `YYYY-MM-DD`, nothing else.
constexpr std::optional<date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return {};
  const unsigned century = detail::two_digits(text.data());
  const unsigned year_of_century = detail::two_digits(text.data() + 2);
  const unsigned month = detail::two_digits(text.data() + 5);
  const unsigned day = detail::two_digits(text.data() + 8);
  if (century > 99 || year_of_century > 99 || month < 1 || month > 12) return {};
  const unsigned year = century * 100 + year_of_century;
  if (day < 1 || day > detail::days_of_month(year, month)) return {};
  return date{static_cast<std::int32_t>(days_from_civil(year, month, day))};
}

/// A date and time of day, and the text behind them.
struct date_time_text {
  std::int64_t reading = 0;  ///< microseconds since a clock without a zone showed 1970-01-01T00:00:00
  std::string_view zone{};
};

/// The part of RFC 3339 before the zone, with an upper-case `T`. Digits behind the microsecond are cut, never rounded.
/// There is no leap second: a count of microseconds has no value for it.
constexpr std::optional<date_time_text> parse_date_time(std::string_view text) {
  if (text.size() < 19 || text[10] != 'T' || text[13] != ':' || text[16] != ':') return {};
  const std::optional<date> day = parse_date(text.substr(0, 10));
  const unsigned hour = detail::two_digits(text.data() + 11);
  const unsigned minute = detail::two_digits(text.data() + 14);
  const unsigned second = detail::two_digits(text.data() + 17);
  if (!day || hour > 23 || minute > 59 || second > 59) return {};

  std::size_t at = 19;
  std::int64_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    std::int64_t unit = 100'000;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, unit /= 10)
      fraction += (text[at] - '0') * unit;
    if (at == 20) return {};
  }

  const std::int64_t seconds = hour * 3600 + minute * 60 + second;
  return date_time_text{day->days * detail::microseconds_per_day + seconds * 1'000'000 + fraction, text.substr(at)};
}

/// The time, unless it is outside the years 0000 to 9999 and so could not be written again.
constexpr std::optional<timestamp> printable(timestamp time) {
  const std::int64_t day = floor_divide(time.microseconds, detail::microseconds_per_day);
  if (day < detail::first_printable_day || day > detail::last_printable_day) return {};
  return time;
}

/// An RFC 3339 date-time with upper-case `T` and `Z` and an offset of at most 18 hours, within the years 0000 to 9999
/// once it is UTC.
constexpr std::optional<timestamp> parse_rfc3339(std::string_view text) {
  const std::optional<date_time_text> parsed = parse_date_time(text);
  if (!parsed) return {};
  std::int64_t offset_minutes = 0;
  const std::string_view zone = parsed->zone;
  if (zone != "Z") {
    if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return {};
    const unsigned hours = detail::two_digits(zone.data() + 1);
    const unsigned minutes = detail::two_digits(zone.data() + 4);
    if (minutes > 59 || hours * 60 + minutes > 18 * 60) return {};
    offset_minutes = hours * 60 + minutes;
    if (zone[0] == '-') offset_minutes = -offset_minutes;
  }

  return printable({parsed->reading - offset_minutes * 60'000'000});
}

/// `2026-01-31`; years outside 0000 to 9999 get a sign and at least six digits.
constexpr char* write_date(char* to, date day) { return detail::write_day(to, day.days); }

inline std::string format_date(date day) {
  char text[scalar_text_size];
  return std::string(text, write_date(text, day));
}

namespace detail {

struct time_in_day {
  std::int64_t day = 0;  // since 1970-01-01
  std::uint64_t microseconds = 0;
};

constexpr time_in_day time_in_day_of(timestamp time) {
  // Not by subtracting the days, whose product does not fit for the earliest times.
  const std::int64_t remainder = time.microseconds % microseconds_per_day;
  return {floor_divide(time.microseconds, microseconds_per_day),
          static_cast<std::uint64_t>(remainder < 0 ? remainder + microseconds_per_day : remainder)};
}

/// `T08:00:00.000000Z`
constexpr char* write_time_of_day(char* to, std::uint64_t microseconds) {
  const auto seconds = static_cast<unsigned>(microseconds / 1'000'000);
  const auto fraction = static_cast<unsigned>(microseconds % 1'000'000);
  *to++ = 'T';
  to = write_two(to, seconds / 3600);
  *to++ = ':';
  to = write_two(to, seconds / 60 % 60);
  *to++ = ':';
  to = write_two(to, seconds % 60);
  *to++ = '.';
  to = write_two(to, fraction / 10'000);
  to = write_two(to, fraction / 100 % 100);
  to = write_two(to, fraction % 100);
  *to++ = 'Z';
  return to;
}

}  // namespace detail

/// `2026-01-31T08:00:00.000000Z`: always UTC and six digits, so that the order of the texts is the order of the times.
constexpr char* write_timestamp(char* to, timestamp time) {
  const detail::time_in_day split = detail::time_in_day_of(time);
  return detail::write_time_of_day(detail::write_day(to, split.day), split.microseconds);
}

inline std::string format_rfc3339(timestamp time) {
  char text[scalar_text_size];
  return std::string(text, write_timestamp(text, time));
}

}  // namespace etlantic
