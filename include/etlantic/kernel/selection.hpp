#pragma once
#include <etlantic/kernel/lanes.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace etlantic::kernel {

namespace detail {

/// For each byte the places of its bits, lowest first.
struct bit_places {
  std::array<std::array<std::uint8_t, 8>, 256> of{};
  std::array<std::uint8_t, 256> count{};

  constexpr bit_places() {
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::size_t bit = 0; bit < 8; ++bit)
        if ((byte >> bit) & 1) of[byte][count[byte]++] = static_cast<std::uint8_t>(bit);
  }
};
inline constexpr bit_places places;

}  // namespace detail

/// Appends the row numbers of a chunk's bits, `first` for the lowest, to `into`, which has room for 8 more than there
/// are; returns the new end. Eight bits at a time by table: no branch depends on the data.
inline std::uint16_t* append_rows(std::uint64_t bits, std::size_t first, std::uint16_t* into) {
  typedef std::uint8_t bytes __attribute__((vector_size(8)));  // clang knows no other spelling
  typedef std::uint16_t words __attribute__((vector_size(16)));
  for (std::size_t i = 0; i < lane_count; i += 8, bits >>= 8) {
    const std::size_t byte = bits & 0xFF;
    bytes found;
    std::memcpy(&found, detail::places.of[byte].data(), sizeof found);
    const words rows = __builtin_convertvector(found, words) + static_cast<std::uint16_t>(first + i);
    std::memcpy(into, &rows, sizeof rows);
    into += detail::places.count[byte];
  }
  return into;
}

}  // namespace etlantic::kernel
