#pragma once
#include <etlantic/core/integer128.hpp>
#include <etlantic/core/json_number.hpp>

#include <cstdint>
#include <limits>
#include <string_view>

namespace etlantic {

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of a name outside
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// Why a text is not a number of the wanted type.
enum class number_fault : std::uint8_t {
  none,
  not_a_number,   ///< not JSON's number grammar, or a fraction or exponent where an integer is wanted
  out_of_range,   ///< a number, but too large for the type
  excess_digits,  ///< a number with non-zero digits behind the scale of an exact decimal
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

template <class T>
struct parsed_number {
  T value{};
  number_fault fault = number_fault::none;

  constexpr bool ok() const { return fault == number_fault::none; }
};

/// An integer of any width up to 64 bits. `1.0` and `1e3` are not integers; `-0` is.
template <class T>
constexpr parsed_number<T> parse_integer(const json_number& number) {
  if (!number.is_integer()) return {{}, number_fault::not_a_number};
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const std::uint64_t limit = !number.negative ? largest : std::numeric_limits<T>::is_signed ? largest + 1 : 0;
  std::uint64_t magnitude = 0;
  for (char c : number.whole) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (magnitude > (limit - digit) / 10 || digit > limit) return {{}, number_fault::out_of_range};
    magnitude = magnitude * 10 + digit;
  }
  return {static_cast<T>(number.negative ? 0 - magnitude : magnitude), number_fault::none};
}

template <class T>
constexpr parsed_number<T> parse_integer(std::string_view text) {
  json_number number;
  if (!is_json_number(text, number)) return {{}, number_fault::not_a_number};
  return parse_integer<T>(number);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// What happens to non-zero digits behind the scale of a decimal.
enum class excess_digits : std::uint8_t { refuse, round_half_up };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// The number times 10^scale, exactly; at most `precision` digits, 1 to 38. Takes time linear in the text, whatever
/// the exponent. A value that is both too large and too fine is out of range.
constexpr parsed_number<int128> parse_decimal(const json_number& number, int precision, int scale,
                                              excess_digits excess = excess_digits::refuse) {
  const auto whole_size = static_cast<std::int64_t>(number.whole.size());
  const auto size = whole_size + static_cast<std::int64_t>(number.fraction.size());
  const auto digit_at = [&](std::int64_t i) {
    return (i < whole_size ? number.whole[static_cast<std::size_t>(i)]
                           : number.fraction[static_cast<std::size_t>(i - whole_size)]) -
           '0';
  };

  std::int64_t first = 0;
  while (first < size && digit_at(first) == 0) ++first;
  if (first == size) return {};

  // The digits [first, point) are the scaled value; those from `point` on are too fine. Both may lie outside the text.
  const std::int64_t point = whole_size + number.exponent + scale;
  if (point - first > precision) return {{}, number_fault::out_of_range};
  int128 magnitude = 0;
  for (std::int64_t i = first; i < point; ++i) magnitude = magnitude * 10 + (i < size ? digit_at(i) : 0);

  if (excess == excess_digits::round_half_up) {
    if (point >= first && point < size && digit_at(point) >= 5) ++magnitude;
    int128 limit = 1;
    for (int i = 0; i < precision; ++i) limit *= 10;
    if (magnitude == limit) return {{}, number_fault::out_of_range};
  } else {
    for (std::int64_t i = point > first ? point : first; i < size; ++i)
      if (digit_at(i) != 0) return {{}, number_fault::excess_digits};
  }
  return {number.negative ? -magnitude : magnitude, number_fault::none};
}

constexpr parsed_number<int128> parse_decimal(std::string_view text, int precision, int scale,
                                              excess_digits excess = excess_digits::refuse) {
  json_number number;
  if (!is_json_number(text, number)) return {{}, number_fault::not_a_number};
  return parse_decimal(number, precision, scale, excess);
}

}  // namespace etlantic
