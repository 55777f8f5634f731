#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etlantic::delta {

namespace detail {

constexpr std::array<std::uint32_t, 256> make_crc32_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1u) != 0 ? 0xedb88320u : 0u);
    table[byte] = remainder;
  }
  return table;
}

inline constexpr std::array<std::uint32_t, 256> crc32_table = make_crc32_table();

}  // namespace detail

/// CRC-32 (IEEE 802.3, as of zlib), which files of deletion vectors carry. Our own files have CRC-32C.
constexpr std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t sum = 0xffffffffu;
  for (const char c : bytes) sum = (sum >> 8) ^ detail::crc32_table[(sum ^ static_cast<unsigned char>(c)) & 0xffu];
  return ~sum;
}

}  // namespace etlantic::delta
