#pragma once
#include <etlantic/core/instruction_set.hpp>
#include <etlantic/core/vector_instructions.hpp>
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

#if defined(__x86_64__)
/// The same for a whole morsel; `into` has room for 32 more.
[[ETLANTIC_AVX512]] inline std::uint16_t* append_rows_avx512(const morsel_bits& bits, std::uint16_t* into) {
  constexpr std::size_t values = 32;
  alignas(64) static constexpr std::array<std::uint16_t, values> numbers = [] {
    std::array<std::uint16_t, values> made{};
    for (std::size_t i = 0; i < values; ++i) made[i] = static_cast<std::uint16_t>(i);
    return made;
  }();
  const __m512i step = _mm512_set1_epi16(values);
  __m512i rows = _mm512_load_si512(numbers.data());
  for (std::size_t first = 0; first < morsel_rows; first += values) {
    const auto chosen = static_cast<std::uint32_t>(bits[first / lane_count] >> first % lane_count);
    // Compressed in a register: into memory takes some processors many times as long.
    _mm512_storeu_si512(into, _mm512_maskz_compress_epi16(chosen, rows));
    into += std::popcount(chosen);
    rows = _mm512_add_epi16(rows, step);
  }
  return into;
}
#endif

/// The numbers of the rows of a morsel whose bits are set, lowest first; how many there are. `into` has room for 32
/// more.
inline std::size_t select_rows(const morsel_bits& bits, std::uint16_t* into,
                               [[maybe_unused]] instruction_set instructions) {
#if defined(__x86_64__)
  if (instructions == instruction_set::avx512) return static_cast<std::size_t>(append_rows_avx512(bits, into) - into);
#endif
  std::uint16_t* end = into;
  for (std::size_t i = 0; i < morsel_chunks; ++i)
    if (bits[i] != 0) end = append_rows(bits[i], i * lane_count, end);
  return static_cast<std::size_t>(end - into);
}

}  // namespace etlantic::kernel
