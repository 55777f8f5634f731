#pragma once
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace orders {

/// Microseconds since 1970-01-01T00:00:00Z.
using microseconds = std::int64_t;

inline constexpr microseconds one_second = 1'000'000;
inline constexpr microseconds one_minute = 60 * one_second;
inline constexpr microseconds one_hour = 60 * one_minute;
inline constexpr microseconds one_day = 24 * one_hour;

/// The greatest multiple of `unit` that is not after `time`; also right before 1970.
constexpr microseconds floor_to(microseconds time, microseconds unit) {
  const microseconds rest = time % unit;
  return time - (rest < 0 ? rest + unit : rest);
}

inline void append_number(std::string& out, std::int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

/// At least `width` digits, with zeros in front.
inline void append_padded(std::string& out, std::uint64_t number, std::size_t width) {
  std::array<char, 24> digits;
  std::size_t first = digits.size();
  for (; number != 0 || digits.size() - first < width; number /= 10)
    digits[--first] = static_cast<char>('0' + number % 10);
  out.append(digits.data() + first, digits.size() - first);
}

/// 63146 is written 631.46
inline void append_cents(std::string& out, std::int64_t cents) {
  if (cents < 0) out += '-';
  const auto magnitude = static_cast<std::uint64_t>(cents < 0 ? -cents : cents);
  append_padded(out, magnitude / 100, 1);
  out += '.';
  append_padded(out, magnitude % 100, 2);
}

/// 2026-01-01T00:00:00.000000Z
inline void append_time(std::string& out, microseconds time) {
  const microseconds midnight = floor_to(time, one_day);
  // Days to a date by the usual trick: years that begin in March put the leap day last, and eras of 400 years repeat.
  const auto day_of_all = static_cast<std::uint64_t>(midnight / one_day + 719'468);
  const std::uint64_t era = day_of_all / 146'097;
  const std::uint64_t day_of_era = day_of_all % 146'097;
  const std::uint64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::uint64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::uint64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::uint64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const auto rest = static_cast<std::uint64_t>(time - midnight);

  append_padded(out, era * 400 + year_of_era + (month <= 2 ? 1 : 0), 4);
  out += '-';
  append_padded(out, month, 2);
  out += '-';
  append_padded(out, day_of_year - (153 * month_from_march + 2) / 5 + 1, 2);
  out += 'T';
  append_padded(out, rest / one_hour, 2);
  out += ':';
  append_padded(out, rest / one_minute % 60, 2);
  out += ':';
  append_padded(out, rest / one_second % 60, 2);
  out += '.';
  append_padded(out, rest % one_second, 6);
  out += 'Z';
}

/// Quoted only where CSV needs it.
inline void append_csv(std::string& out, std::string_view value) {
  if (value.find_first_of("\",\r\n") == std::string_view::npos) {
    out += value;
    return;
  }
  out += '"';
  for (const char character : value) {
    if (character == '"') out += '"';
    out += character;
  }
  out += '"';
}

}  // namespace orders
