#pragma once
#include <etlantic/column/block.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace etlantic::kernel {

/// Kernels work on 64 rows at a time, so that a bool for each of them is one machine word.
inline constexpr std::size_t lane_count = 64;

/// Rows that a stage takes at a time: enough that what is done once for all of them costs nothing, and few enough that
/// their columns stay in the first-level cache from one step to the next.
inline constexpr std::size_t morsel_rows = 1024;
inline constexpr std::size_t morsel_chunks = morsel_rows / lane_count;

/// A bit for each row of a morsel.
using morsel_bits = std::array<std::uint64_t, morsel_chunks>;

/// 64 rows of a block (fewer at its end) on their way through a stage.
struct chunk {
  const block* rows = nullptr;
  std::size_t begin = 0;
  std::size_t count = 0;
  std::uint64_t active = 0;            // rows whose values matter; arithmetic on the others may do what it likes
  std::uint64_t overflow = 0;          // active rows with a result that does not fit its type
  std::uint64_t cast_failed = 0;       // those of them with a value that could not be cast
  logical_type cast_to[lane_count]{};  // and to what

  chunk(const block& of, std::size_t first)
      : rows(&of),
        begin(first),
        count(of.rows - first < lane_count ? of.rows - first : lane_count),
        active(count == lane_count ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) {}

  void fail_cast(std::uint64_t failed, logical_type to) {
    overflow |= failed;
    cast_failed |= failed;
    for (; failed != 0; failed &= failed - 1) cast_to[std::countr_zero(failed)] = to;
  }
};

/// Values of an expression for the rows of a chunk; `valid` has a bit for each row that is not null.
template <class Value>
struct lanes {
  const Value* values = nullptr;
  std::uint64_t valid = 0;
};

/// The same for bool: a bit a row.
template <>
struct lanes<bool> {
  std::uint64_t bits = 0;
  std::uint64_t valid = 0;
};

/// Calls `visit(row in chunk)` for each set bit, lowest first.
template <class Visit>
inline void for_each_lane(std::uint64_t bits, Visit&& visit) {
  while (bits != 0) {
    visit(static_cast<std::size_t>(std::countr_zero(bits)));
    bits &= bits - 1;
  }
}

/// 64 bits of a bitmap from row `begin`, a multiple of 64; buffers are padded, so the last word can be read whole.
inline std::uint64_t word_of(const buffer& bits, std::size_t begin) {
  std::uint64_t word;
  std::memcpy(&word, bits.data() + begin / 8, sizeof word);
  return word;
}

inline std::uint64_t valid_word(const column& from, std::size_t begin) {
  return from.validity.empty() ? ~std::uint64_t{0} : word_of(from.validity, begin);
}

}  // namespace etlantic::kernel
