#pragma once
#include <etlantic/core/integer128.hpp>

#include <charconv>
#include <cmath>
#include <string>

namespace etlantic {

/// The digits of `scaled / 10^scale` with exactly `scale` digits behind the point: `-0.05`, `12.30`, `7`.
inline std::string format_decimal(int128 scaled, int scale) {
  char digits[48];
  char* const end = digits + sizeof digits;
  char* at = end;
  uint128 rest = scaled < 0 ? uint128{0} - static_cast<uint128>(scaled) : static_cast<uint128>(scaled);
  for (int place = 0; rest != 0 || place <= scale; ++place) {
    if (place == scale && scale != 0) *--at = '.';
    *--at = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  }
  if (scaled < 0) *--at = '-';
  return std::string(at, end);
}

/// The shortest text that reads back to the same bits. Not a number and the infinities have names, no digits:
/// `NaN`, `Infinity`, `-Infinity`.
template <class T>
std::string format_floating(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace etlantic
