#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
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

// A byte that is zero gets its high bit. Bytes behind it may get theirs too, bytes before it never, so that the lowest
// mark is exact (H. Warren, Hacker's Delight, 6-1).
constexpr std::uint64_t zero_bytes(std::uint64_t word) { return (word - every_byte(1)) & ~word & high_bits; }

}  // namespace detail

/// As the scalar twin, eight bytes at a time. Registers of sixteen bytes were no faster on texts of usual length (ids
/// of ten to forty bytes), where most of the time is finding the one place. Eight bytes behind `end` are readable.
[[gnu::always_inline]] inline text_end scan_text(const char* at, const char* end) {
  std::uint64_t seen = 0;
  for (; at < end; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    const std::uint64_t quotes = detail::zero_bytes(word ^ detail::every_byte('"'));
    const std::uint64_t backslashes = detail::zero_bytes(word ^ detail::every_byte('\\'));
    const std::uint64_t controls = (word - detail::every_byte(0x20)) & ~word & detail::high_bits;
    const std::uint64_t stops = quotes | backslashes | controls;
    if (stops == 0 && end - at >= 8) {
      seen |= word;
      continue;
    }
    const std::ptrdiff_t bytes = std::min<std::ptrdiff_t>(std::countr_zero(stops) / 8, end - at);
    if (bytes > 0) seen |= word << (64 - 8 * bytes);
    return {at + bytes, (seen & detail::high_bits) == 0};
  }
  return {end, (seen & detail::high_bits) == 0};
}

}  // namespace etlantic::kernel
