#pragma once
#include <etlantic/core/write_text.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>

namespace etlantic {

template <std::integral T>
char* write_integer(char* to, T value) {
  constexpr int most = std::numeric_limits<T>::digits10 + 2;  // digits10 are those that always fit; and the sign
  return std::to_chars(to, to + most, value).ptr;
}

/// The shortest text that reads back to the same bits. Not a number and the infinities have names, no digits:
/// `NaN`, `Infinity`, `-Infinity`.
template <std::floating_point T>
char* write_floating(char* to, T value) {
  if (std::isnan(value)) return write_characters(to, "NaN");
  if (std::isinf(value)) return write_characters(to, value < 0 ? "-Infinity" : "Infinity");
  // "-0" is an integer to many readers, and so loses its sign.
  if (value == 0) return write_characters(to, std::signbit(value) ? "-0.0" : "0.0");
  constexpr int most = std::numeric_limits<T>::max_digits10 + 7;  // -d.ddde-308
  return std::to_chars(to, to + most, value).ptr;
}

template <std::floating_point T>
std::string format_floating(T value) {
  char text[scalar_text_size];
  return std::string(text, write_floating(text, value));
}

}  // namespace etlantic
