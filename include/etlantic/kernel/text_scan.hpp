#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

namespace etlantic::kernel {

/// Where the plain part of a JSON string ends, and whether the part before is all ASCII.
struct text_end {
  const char* at;
  bool ascii;
};

namespace scalar {

/// The first quote, backslash or control character from `at` on, or `end`.
inline text_end scan_text(const char* at, const char* end) {
  bool ascii = true;
  for (; at != end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte == '"' || byte == '\\' || byte < 0x20) break;
    ascii = ascii && byte < 0x80;
  }
  return {at, ascii};
}

}  // namespace scalar

namespace detail {
constexpr std::uint64_t every_byte(std::uint64_t byte) { return byte * 0x0101010101010101; }
constexpr std::uint64_t high_bits = every_byte(0x80);

// The high bit of each byte that is zero. Bytes behind a zero byte may be marked too, never one before it, so the
// lowest mark is exact. (H. Warren, Hacker's Delight, 6-1.)
constexpr std::uint64_t zero_bytes(std::uint64_t word) { return (word - every_byte(1)) & ~word & high_bits; }
}  // namespace detail

/// As the scalar twin, eight bytes at a time: a vector register has no cheap way to give a position without
/// instructions beyond the common baseline. Eight bytes behind `end` are readable.
inline text_end scan_text(const char* at, const char* end) {
  std::uint64_t seen = 0;
  for (; at < end; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    const std::uint64_t quotes = detail::zero_bytes(word ^ detail::every_byte('"'));
    const std::uint64_t backslashes = detail::zero_bytes(word ^ detail::every_byte('\\'));
    const std::uint64_t controls = (word - detail::every_byte(0x20)) & ~word & detail::high_bits;
    const std::uint64_t stops = quotes | backslashes | controls;
    if (stops != 0) {
      const int bytes = std::countr_zero(stops) / 8;
      const char* stop = at + bytes;
      if (stop >= end) break;
      seen |= word & ((std::uint64_t{1} << (bytes * 8)) - 1);
      return {stop, (seen & detail::high_bits) == 0};
    }
    if (end - at < 8) break;
    seen |= word;
  }
  // The last bytes before `end`, fewer than eight.
  const text_end rest = scalar::scan_text(at < end ? at : end, end);
  return {rest.at, rest.ascii && (seen & detail::high_bits) == 0};
}

}  // namespace etlantic::kernel
