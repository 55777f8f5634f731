#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

/// A number in JSON's grammar, taken apart but not computed. An exponent of any length is read and held at a bound
/// that no text in memory can make up for with zeros.
struct json_number {
  static constexpr std::int64_t exponent_bound = 1'000'000'000'000;

  bool negative = false;
  bool has_exponent = false;
  std::string_view whole{};     ///< the digits before the point
  std::string_view fraction{};  ///< the digits behind it; empty when there is no point
  std::int64_t exponent = 0;

  constexpr bool is_integer() const { return fraction.empty() && !has_exponent; }
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads the longest number that starts at `at`: the place behind it, or null where no number starts.
constexpr const char* read_json_number(const char* at, const char* end, json_number& number) {
  const auto digits = [&] {
    const char* begin = at;
    while (at != end && is_digit(*at)) ++at;
    return std::string_view(begin, static_cast<std::size_t>(at - begin));
  };

  number = {};
  if (at != end && *at == '-') {
    number.negative = true;
    ++at;
  }
  number.whole = digits();
  if (number.whole.empty() || (number.whole.size() > 1 && number.whole.front() == '0')) return nullptr;
  if (at != end && *at == '.') {
    ++at;
    number.fraction = digits();
    if (number.fraction.empty()) return nullptr;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    number.has_exponent = true;
    const bool negative = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    const std::string_view exponent = digits();
    if (exponent.empty()) return nullptr;
    for (char c : exponent)
      if (number.exponent < json_number::exponent_bound) number.exponent = number.exponent * 10 + (c - '0');
    if (negative) number.exponent = -number.exponent;
  }
  return at;
}

/// Whether all of `text` is one number.
constexpr bool is_json_number(std::string_view text, json_number& number) {
  const char* end = text.data() + text.size();
  return !text.empty() && read_json_number(text.data(), end, number) == end;
}

}  // namespace etlantic
