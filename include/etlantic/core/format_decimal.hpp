#pragma once
#include <etlantic/core/integer128.hpp>
#include <etlantic/core/write_text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace etlantic {

namespace detail {

/// The digits that end at `end`; returns their begin.
constexpr char* write_digits_before(char* end, std::uint64_t value) {
  for (; value >= 100; value /= 100) write_two(end -= 2, static_cast<unsigned>(value % 100));
  if (value >= 10)
    write_two(end -= 2, static_cast<unsigned>(value));
  else
    *--end = static_cast<char>('0' + value);
  return end;
}

constexpr char* write_digits_before(char* end, uint128 value) {
  constexpr std::uint64_t chunk = 10'000'000'000'000'000'000u;  // 10^19, the greatest power that fits
  for (; value >= chunk; value /= chunk) write_padded(end -= 19, static_cast<std::uint64_t>(value % chunk), 19);
  return write_digits_before(end, static_cast<std::uint64_t>(value));
}

}  // namespace detail

/// `scaled / 10^scale` with all its digits: `12.30`, `-0.05`, `7`.
inline char* write_decimal(char* to, int128 scaled, int scale) {
  char digits[40];
  char* const end = digits + sizeof digits;
  const auto bits = static_cast<uint128>(scaled);
  char* begin = detail::write_digits_before(end, scaled < 0 ? uint128{0} - bits : bits);
  while (end - begin <= scale) *--begin = '0';
  if (scaled < 0) *to++ = '-';
  const char* const point = end - scale;
  to = write_characters(to, {begin, static_cast<std::size_t>(point - begin)});
  if (scale == 0) return to;
  *to++ = '.';
  return write_characters(to, {point, static_cast<std::size_t>(scale)});
}

inline std::string format_decimal(int128 scaled, int scale) {
  char text[scalar_text_size];
  return std::string(text, write_decimal(text, scaled, scale));
}

}  // namespace etlantic
