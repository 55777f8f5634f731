#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

// The `write_` functions put a value's text at `to`, without a terminating zero, and return its end. `format_` is the
// same as a string.

namespace etlantic {

/// Room that is enough for the text of any number, day or time.
inline constexpr std::size_t scalar_text_size = 64;

inline char* write_characters(char* to, std::string_view characters) {
  if (!characters.empty()) std::memcpy(to, characters.data(), characters.size());
  return to + characters.size();
}

namespace detail {

/// Two digits of a number below 100.
constexpr char* write_two(char* to, unsigned value) {
  to[0] = static_cast<char>('0' + value / 10);
  to[1] = static_cast<char>('0' + value % 10);
  return to + 2;
}

/// The last `count` digits, with zeros in front.
constexpr char* write_padded(char* to, std::uint64_t value, int count) {
  for (int i = count; i-- > 0; value /= 10) to[i] = static_cast<char>('0' + value % 10);
  return to + count;
}

}  // namespace detail

}  // namespace etlantic
