#pragma once
#include <etlantic/core/integer128.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace etlantic::kernel {

// Which bucket of a quantile_sketch a number falls into: every octave, from one power of two to the next, has 64 of
// equal width, so that the middle of a bucket is within 1/128 of all its numbers. Integer arithmetic on bits instead of
// logarithms: all machines agree. Buckets of negative numbers are the mirror image.

inline constexpr int octave_bits = 6;
inline constexpr std::int32_t octave_buckets = 1 << octave_bits;

constexpr int bit_width128(uint128 of) {
  const auto high = static_cast<std::uint64_t>(of >> 64);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<std::uint64_t>(of));
}

/// Of a number that is not negative; 0 has the bucket 0, 1 the first of the first octave.
constexpr std::int32_t bucket_of_magnitude(uint128 magnitude) {
  if (magnitude == 0) return 0;
  const int octave = bit_width128(magnitude) - 1;
  const auto first_bits = static_cast<std::int32_t>(octave >= octave_bits ? magnitude >> (octave - octave_bits)
                                                                          : magnitude << (octave_bits - octave));
  return octave * octave_buckets + first_bits;
}

/// The least integer in a bucket or behind it.
constexpr uint128 least_magnitude(std::int64_t bucket) {
  if (bucket <= 0) return 0;
  if (bucket < octave_buckets) return 1;
  const std::int64_t octave = bucket / octave_buckets - 1;
  const auto first_bits = static_cast<uint128>(octave_buckets + bucket % octave_buckets);
  if (octave > 127) return ~uint128{0};  // of a damaged state
  if (octave >= octave_bits) return first_bits << (octave - octave_bits);
  const auto missing = static_cast<int>(octave_bits - octave);
  return (first_bits + (uint128{1} << missing) - 1) >> missing;
}

/// Floating point: as its bits are, 64 buckets for each exponent. Below the least normal number everything is 0.
constexpr std::int32_t bucket_of_magnitude(double magnitude) {
  if (magnitude < std::numeric_limits<double>::min()) return 0;
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(magnitude) >> (52 - octave_bits));
}
constexpr double least_real(std::int64_t bucket) {
  constexpr std::int64_t infinite = std::int64_t{2047} * octave_buckets;
  if (bucket < octave_buckets) return 0;
  if (bucket >= infinite) return std::numeric_limits<double>::max();
  return std::bit_cast<double>(static_cast<std::uint64_t>(bucket) << (52 - octave_bits));
}

/// A number that is finite.
template <class Value>
constexpr std::int32_t bucket_of(Value value) {
  if constexpr (std::is_floating_point_v<Value>) {
    const auto real = static_cast<double>(value);
    const std::int32_t bucket = bucket_of_magnitude(real < 0 ? -real : real);
    return real < 0 && bucket != 0 ? ~bucket : bucket;
  } else if (value < 0)
    return ~bucket_of_magnitude(uint128{0} - static_cast<uint128>(value));
  else
    return bucket_of_magnitude(static_cast<uint128>(value));
}

/// The middle of the numbers in a bucket of a level, at which 2^level buckets are one.
template <class Value>
constexpr auto middle_of(std::int32_t bucket, int level) {
  const bool negative = bucket < 0;
  const std::int64_t place = negative ? ~bucket : bucket;
  const std::int64_t first = place << level, next = (place + 1) << level;
  if constexpr (std::is_floating_point_v<Value>) {
    const double least = least_real(first);
    // Halves are exact, so that fused multiplications change nothing.
    const double middle = next <= octave_buckets ? 0 : least + (least_real(next) - least) * 0.5;
    return negative ? -middle : middle;
  } else {
    const uint128 least = least_magnitude(first), behind = least_magnitude(next);
    const uint128 middle = behind > least ? least + (behind - 1 - least) / 2 : least;
    return static_cast<int128>(negative ? uint128{0} - middle : middle);
  }
}

}  // namespace etlantic::kernel
