#pragma once
#include <etlantic/core/integer128.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/kernel/lanes.hpp>

#include <xsimd/xsimd.hpp>

#include <cmath>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace etlantic::kernel {

/// Whether two values compare as `Op` says. NaN equals NaN and is greater than every other number, as in Spark.
template <operation Op, class Value>
constexpr bool compares(const Value& left, const Value& right) {
  using enum operation;
  if constexpr (std::is_floating_point_v<Value>) {
    const bool less_than = left < right || (left == left && right != right);
    const bool same = left == right || (left != left && right != right);
    if constexpr (Op == equal)
      return same;
    else if constexpr (Op == not_equal)
      return !same;
    else if constexpr (Op == less)
      return less_than;
    else if constexpr (Op == less_equal)
      return less_than || same;
    else if constexpr (Op == greater)
      return !less_than && !same;
    else
      return !less_than;
  } else {
    if constexpr (Op == equal)
      return left == right;
    else if constexpr (Op == not_equal)
      return left != right;
    else if constexpr (Op == less)
      return left < right;
    else if constexpr (Op == less_equal)
      return left <= right;
    else if constexpr (Op == greater)
      return left > right;
    else
      return left >= right;
  }
}

/// The scalar twin of compare_lanes.
template <operation Op, class Value, class Right>
std::uint64_t compare_lanes_scalar(const Value* left, const Right& right) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < lane_count; ++i) {
    bool holds;
    if constexpr (std::is_pointer_v<Right>)
      holds = compares<Op, Value>(left[i], right[i]);
    else
      holds = compares<Op, Value>(left[i], right);
    bits |= static_cast<std::uint64_t>(holds) << i;
  }
  return bits;
}

template <operation Op, class Batch>
inline auto compare_batches(const Batch& left, const Batch& right) {
  using enum operation;
  using Value = typename Batch::value_type;
  if constexpr (std::is_floating_point_v<Value>) {
    const auto left_nan = xsimd::isnan(left);
    const auto right_nan = xsimd::isnan(right);
    const auto less_than = (left < right) | (right_nan & !left_nan);
    const auto same = (left == right) | (left_nan & right_nan);
    if constexpr (Op == equal)
      return same;
    else if constexpr (Op == not_equal)
      return !same;
    else if constexpr (Op == less)
      return less_than;
    else if constexpr (Op == less_equal)
      return less_than | same;
    else if constexpr (Op == greater)
      return !(less_than | same);
    else
      return !less_than;
  } else {
    if constexpr (Op == equal)
      return left == right;
    else if constexpr (Op == not_equal)
      return left != right;
    else if constexpr (Op == less)
      return left < right;
    else if constexpr (Op == less_equal)
      return left <= right;
    else if constexpr (Op == greater)
      return left > right;
    else
      return left >= right;
  }
}

template <class Value>
inline constexpr bool has_batch = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;

/// A bit for each of 64 bools.
inline std::uint64_t pack_bools(const bool* bools) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < lane_count; i += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, bools + i, sizeof bytes);
    // Each byte is 0 or 1; the product gathers the eight lowest bits in the top byte.
    bits |= ((bytes * 0x0102040810204080u) >> 56) << i;
  }
  return bits;
}

#if defined(__SSE2__)
/// A bit for each value of a register of 128 bits.
template <class Value>
inline std::uint64_t bits_of(const xsimd::batch_bool<Value, xsimd::sse2>& holds) {
  __m128i bytes;
  std::memcpy(&bytes, &holds, sizeof bytes);
  int bits;
  if constexpr (sizeof(Value) == 8)
    bits = _mm_movemask_pd(_mm_castsi128_pd(bytes));
  else if constexpr (sizeof(Value) == 4)
    bits = _mm_movemask_ps(_mm_castsi128_ps(bytes));
  else if constexpr (sizeof(Value) == 2)
    bits = _mm_movemask_epi8(_mm_packs_epi16(bytes, _mm_setzero_si128()));
  else
    bits = _mm_movemask_epi8(bytes);
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits));
}
#endif

/// Compares 64 values with 64 others (`right` is a pointer) or with one; a bit for each row where it holds.
template <operation Op, class Arch = xsimd::default_arch, class Value, class Right>
std::uint64_t compare_lanes(const Value* left, const Right& right) {
  if constexpr (!has_batch<Value>)
    return compare_lanes_scalar<Op>(left, right);
  else {
    using batch = xsimd::batch<Value, Arch>;
    const auto compare = [&](std::size_t i) {
      const batch l = batch::load_unaligned(left + i);
      if constexpr (std::is_pointer_v<Right>)
        return compare_batches<Op>(l, batch::load_unaligned(right + i));
      else
        return compare_batches<Op>(l, batch(right));
    };
#if defined(__SSE2__)
    if constexpr (std::is_same_v<Arch, xsimd::sse2>) {
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < lane_count; i += batch::size) bits |= bits_of(compare(i)) << i;
      return bits;
    }
#endif
    bool holds[lane_count];
    for (std::size_t i = 0; i < lane_count; i += batch::size) compare(i).store_unaligned(holds + i);
    return pack_bools(holds);
  }
}

/// The comparison that holds for (b, a) where `op` holds for (a, b).
constexpr operation mirrored(operation op) {
  using enum operation;
  switch (op) {
    case less: return greater;
    case less_equal: return greater_equal;
    case greater: return less;
    case greater_equal: return less_equal;
    default: return op;
  }
}

}  // namespace etlantic::kernel
