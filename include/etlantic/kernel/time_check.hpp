#pragma once
#include <etlantic/core/instruction_set.hpp>
#include <etlantic/core/vector_instructions.hpp>
#include <etlantic/kernel/lanes.hpp>
#include <etlantic/kernel/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace etlantic::kernel {

/// How long after `start` the last of some rows is, in microseconds without a sign: rows before it come last of all.
inline std::uint64_t greatest_distance(std::int64_t start, const std::int64_t* times,
                                       std::span<const std::uint16_t> rows) {
  const auto distance = [&](std::size_t i) {
    return static_cast<std::uint64_t>(times[rows[i]]) - static_cast<std::uint64_t>(start);
  };
  std::uint64_t even = 0, odd = 0;  // so that a comparison need not wait for the one before
  std::size_t i = 0;
  for (; i + 2 <= rows.size(); i += 2) {
    even = std::max(even, distance(i));
    odd = std::max(odd, distance(i + 1));
  }
  if (i < rows.size()) even = std::max(even, distance(i));
  return std::max(even, odd);
}

#if defined(__x86_64__)
/// The same for the rows of a morsel whose bits are set.
[[ETLANTIC_AVX512]] inline std::uint64_t greatest_distance_avx512(std::int64_t start, const std::int64_t* times,
                                                                  const morsel_bits& rows) {
  constexpr std::size_t values = 8;
  const __m512i from = _mm512_set1_epi64(start);
  __m512i even = _mm512_setzero_si512(), odd = even;
  for (const std::uint64_t bits : rows) {
    for (std::size_t i = 0; i < lane_count; i += 2 * values) {
      const auto low = static_cast<__mmask8>(bits >> i), high = static_cast<__mmask8>(bits >> (i + values));
      const __m512i left = _mm512_maskz_loadu_epi64(low, times + i);
      const __m512i right = _mm512_maskz_loadu_epi64(high, times + i + values);
      even = _mm512_mask_max_epu64(even, low, even, _mm512_sub_epi64(left, from));
      odd = _mm512_mask_max_epu64(odd, high, odd, _mm512_sub_epi64(right, from));
    }
    times += lane_count;
  }
  std::array<std::uint64_t, 2 * values> greatest;
  _mm512_storeu_si512(greatest.data(), even);
  _mm512_storeu_si512(greatest.data() + values, odd);
  return *std::max_element(greatest.begin(), greatest.end());
}
#endif

/// The greatest time of some rows of a morsel, if all of them lie in a window. `bits` and `rows` say which these are,
/// of which there is at least one.
inline std::optional<std::int64_t> greatest_within(const window_bounds& window, const std::int64_t* times,
                                                   [[maybe_unused]] const morsel_bits& bits,
                                                   std::span<const std::uint16_t> rows,
                                                   [[maybe_unused]] instruction_set instructions) {
  // Where rows lie in many windows, these two most likely do not lie in the same.
  if (!window.contains(times[rows.front()]) || !window.contains(times[rows.back()])) return {};
  std::uint64_t found;
#if defined(__x86_64__)
  if (instructions == instruction_set::avx512)
    found = greatest_distance_avx512(window.start, times, bits);
  else
#endif
    found = greatest_distance(window.start, times, rows);
  const auto start = static_cast<std::uint64_t>(window.start);
  if (found >= static_cast<std::uint64_t>(window.end) - start) return {};
  return static_cast<std::int64_t>(start + found);
}

}  // namespace etlantic::kernel
