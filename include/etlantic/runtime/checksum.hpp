#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace etlantic {

namespace detail {

// Table k holds the checksum of a byte followed by k zero bytes, so that eight bytes are looked up at once.
using checksum_tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr checksum_tables make_checksum_tables() {
  checksum_tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1u) != 0 ? 0x82f63b78u : 0u);
    tables[0][byte] = remainder;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xffu];
  return tables;
}

inline constexpr checksum_tables crc32c_tables = make_checksum_tables();

#if defined(__x86_64__)
inline bool has_checksum_instruction() {
  static const bool found = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.2") != 0;
  }();
  return found;
}

/// By the instruction for it, which is five times as fast as the tables.
[[gnu::target("sse4.2")]] inline std::uint32_t crc32c_by_instruction(std::string_view bytes, std::uint32_t before) {
  std::uint64_t sum = static_cast<std::uint32_t>(~before);
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    sum = __builtin_ia32_crc32di(sum, word);
  }
  auto rest = static_cast<std::uint32_t>(sum);
  for (; left > 0; ++at, --left) rest = __builtin_ia32_crc32qi(rest, static_cast<unsigned char>(*at));
  return ~rest;
}
#endif

}  // namespace detail

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of the bytes; `before` is the checksum of what stands in front of them.
inline std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0) {
#if defined(__x86_64__)
  if (bytes.size() >= 64 && detail::has_checksum_instruction()) return detail::crc32c_by_instruction(bytes, before);
#endif
  const auto& table = detail::crc32c_tables;
  std::uint32_t sum = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  const auto byte_at = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])); };
  for (; left >= 8; at += 8, left -= 8) {
    sum ^= byte_at(0) | byte_at(1) << 8 | byte_at(2) << 16 | byte_at(3) << 24;
    sum = table[7][sum & 0xffu] ^ table[6][(sum >> 8) & 0xffu] ^ table[5][(sum >> 16) & 0xffu] ^ table[4][sum >> 24] ^
          table[3][byte_at(4)] ^ table[2][byte_at(5)] ^ table[1][byte_at(6)] ^ table[0][byte_at(7)];
  }
  for (; left > 0; ++at, --left) sum = (sum >> 8) ^ table[0][(sum ^ byte_at(0)) & 0xffu];
  return ~sum;
}

/// A checksum as records print it: eight lower-case hexadecimal digits.
struct checksum_text {
  char digits[8];
  operator std::string_view() const { return {digits, sizeof digits}; }
};

constexpr checksum_text to_text(std::uint32_t checksum) {
  checksum_text text{};
  for (int i = 7; i >= 0; --i, checksum >>= 4) text.digits[i] = "0123456789abcdef"[checksum & 0xfu];
  return text;
}

}  // namespace etlantic
