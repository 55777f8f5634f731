#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace etlantic::detail {

inline std::uint64_t load_word(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  return word;
}

/// The lowest `bytes` bytes, at most eight.
constexpr std::uint64_t low_bytes(std::size_t bytes) {
  return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
}

/// The lowest `count` bits, at most 64.
constexpr std::uint64_t low_bits(std::size_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Up to sixteen bytes to compare with, as two words whose unused bytes are masked out.
struct short_literal {
  std::uint64_t low = 0;
  std::uint64_t low_mask = 0;
  std::uint64_t high = 0;
  std::uint64_t high_mask = 0;
  std::uint32_t size = 0;

  static constexpr std::size_t most = 16;

  short_literal() = default;
  /// At most sixteen bytes.
  explicit short_literal(std::string_view text) : size(static_cast<std::uint32_t>(text.size())) {
    char bytes[most] = {};
    text.copy(bytes, most);
    std::memcpy(&low, bytes, 8);
    std::memcpy(&high, bytes + 8, 8);
    low_mask = low_bytes(text.size());
    high_mask = text.size() < 8 ? 0 : low_bytes(text.size() - 8);
  }

  /// Zero if it stands at `at`. Sixteen bytes there are readable.
  std::uint64_t difference(const char* at) const {
    return ((load_word(at) ^ low) & low_mask) | ((load_word(at + 8) ^ high) & high_mask);
  }
};

}  // namespace etlantic::detail
