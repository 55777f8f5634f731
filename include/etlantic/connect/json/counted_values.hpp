#pragma once
#include <etlantic/connect/json/fast_values.hpp>

#include <cstddef>
#include <cstdint>

/// Numbers whose end is known before they are read.
namespace etlantic::detail {

inline constexpr std::uint64_t zero_digits = 0x3030303030303030;

/// Eight characters that should be digits, as values; those before the last `count` become zero.
[[gnu::always_inline]] inline std::uint64_t last_digits(std::uint64_t characters, std::uint32_t count) {
  return count >= 8 ? characters ^ zero_digits : (characters ^ zero_digits) & ~(~std::uint64_t{0} >> (8 * count));
}

[[gnu::always_inline]] inline bool are_digits(std::uint64_t digits) {
  return (((digits + 0x7676767676767676) | digits) & 0x8080808080808080) == 0;
}

/// A number without sign that ends at `end`, of `count` digits, 1 to 18, without a zero in front. False for anything
/// else.
[[gnu::always_inline]] inline bool read_counted_digits(const char* end, std::uint32_t count, std::int64_t& value) {
  if (count - 1 > 17) return false;
  const std::uint64_t last = last_digits(load_word(end - 8), count);
  value = join_digits(last);
  bool sound = are_digits(last) & ((end[-static_cast<std::ptrdiff_t>(count)] != '0') | (count == 1));
  if (count > 8) {
    const std::uint64_t middle = last_digits(load_word(end - 16), count - 8);
    sound &= are_digits(middle);
    value += join_digits(middle) * 100'000'000;
    if (count > 16) {
      const std::uint64_t first = last_digits(load_word(end - 24), count - 16);
      sound &= are_digits(first);
      value += join_digits(first) * 10'000'000'000'000'000;
    }
  }
  return sound;
}

/// The same with an optional minus sign, from `begin` on.
[[gnu::always_inline]] inline bool read_counted_integer(const char* begin, const char* end, std::int64_t& value) {
  const bool negative = *begin == '-';
  if (!read_counted_digits(end, static_cast<std::uint32_t>(end - begin) - negative, value)) return false;
  if (negative) value = -value;
  return true;
}

/// Numbers with as many digits behind the point as the scale says; others are left to the code for all forms.
[[gnu::always_inline]] inline bool read_usual_decimal(const char* begin, const char* end, std::uint32_t scale,
                                                      std::int64_t& value) {
  const bool negative = *begin == '-';
  const auto size = static_cast<std::uint32_t>(end - begin) - negative;
  const std::uint32_t count = size - 1;  // of digits
  if (size < scale + 2 || count > 16 || end[-1 - static_cast<std::ptrdiff_t>(scale)] != '.') return false;
  // The digits before the point move up to close the gap that the point leaves.
  const std::uint64_t behind_point = ~(~std::uint64_t{0} >> (8 * scale));
  const std::uint64_t last =
      last_digits((load_word(end - 8) & behind_point) | (load_word(end - 9) & ~behind_point), count);
  bool sound = are_digits(last) & ((begin[negative] != '0') | (size == scale + 2));
  value = join_digits(last);
  if (count > 8) {
    const std::uint64_t first = last_digits(load_word(end - 17), count - 8);
    sound &= are_digits(first);
    value += join_digits(first) * 100'000'000;
  }
  if (negative) value = -value;
  return sound;
}

/// Any number without exponent that fits the scale.
[[gnu::always_inline]] inline bool read_counted_decimal(const char* begin, const char* end, int scale,
                                                        std::int64_t unit, std::int64_t& value) {
  if (scale >= 1 && scale <= 7 && read_usual_decimal(begin, end, static_cast<std::uint32_t>(scale), value)) [[likely]]
    return true;
  return read_fast_decimal(begin, scale, unit, value) == end;
}

}  // namespace etlantic::detail
