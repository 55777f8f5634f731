#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

inline void append_number(std::string& line, std::int64_t number) {
  char digits[24];
  line.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

inline void append_padded(std::string& line, std::int64_t number, std::size_t width) {
  char digits[24];
  const auto length = static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits);
  if (length < width) line.append(width - length, '0');
  line.append(digits, length);
}

/// A decimal with two places.
inline void append_cents(std::string& line, std::int64_t cents) {
  append_number(line, cents / 100);
  line += '.';
  append_padded(line, cents % 100, 2);
}

/// A time on a day from 2026-01-01 to 2026-01-31, as RFC 3339 with microseconds.
inline void append_january_time(std::string& line, std::int64_t microseconds_into_month) {
  const std::int64_t seconds = microseconds_into_month / 1'000'000;
  line += "2026-01-";
  append_padded(line, 1 + seconds / 86'400, 2);
  line += 'T';
  append_padded(line, seconds / 3'600 % 24, 2);
  line += ':';
  append_padded(line, seconds / 60 % 60, 2);
  line += ':';
  append_padded(line, seconds % 60, 2);
  line += '.';
  append_padded(line, microseconds_into_month % 1'000'000, 6);
  line += 'Z';
}

/// 2026-01-01T00:00:00Z, where all data begins.
inline constexpr std::int64_t january = 1'767'225'600'000'000;

}  // namespace bench
