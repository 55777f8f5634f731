#pragma once
#include <etlantic/connect/delta/action.hpp>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic::delta {

inline constexpr std::int64_t second = 1000;  // milliseconds, as all times of a log
inline constexpr std::int64_t day = 24 * 3600 * second;
inline constexpr std::int64_t week = 7 * day;

namespace detail {

inline std::optional<std::int64_t> length_of(std::string_view unit) {
  if (unit.ends_with('s')) unit.remove_suffix(1);
  if (unit == "week") return week;
  if (unit == "day") return day;
  if (unit == "hour") return 3600 * second;
  if (unit == "minute") return 60 * second;
  if (unit == "second") return second;
  if (unit == "millisecond") return 1;
  return {};  // months and years have no length
}

inline std::string_view next_word(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  text.remove_prefix(begin == std::string_view::npos ? text.size() : begin);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace detail

/// `interval 30 days`, `1 week 12 hours`: how properties of a table say times. Milliseconds; nothing if it is none.
inline std::optional<std::int64_t> parse_interval(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::string_view rest = text;
  std::string_view word = detail::next_word(rest);
  if (word == "interval") word = detail::next_word(rest);
  if (word.empty()) return {};
  std::int64_t sum = 0;
  for (; !word.empty(); word = detail::next_word(rest)) {
    std::int64_t number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    const auto unit = detail::length_of(detail::next_word(rest));
    if (read.ec != std::errc{} || read.ptr != word.data() + word.size() || number < 0 || !unit) return {};
    if (__builtin_mul_overflow(number, *unit, &number) || __builtin_add_overflow(sum, number, &sum)) return {};
  }
  return sum;
}

/// A property of a table that is a time; nothing if it cannot be understood.
inline std::optional<std::int64_t> interval_property(const table_metadata& table, const std::string& name,
                                                     std::int64_t if_absent) {
  const auto found = table.configuration.find(name);
  return found == table.configuration.end() ? std::optional(if_absent) : parse_interval(found->second);
}

}  // namespace etlantic::delta
