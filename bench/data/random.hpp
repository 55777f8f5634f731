#pragma once
#include <cstdint>

namespace bench {

/// A hash of 32 bits without wrapping in 64, so that SQL can compute the same rows from the same numbers. `number` is
/// below 2^31.
constexpr std::uint32_t mix(std::uint32_t number, std::uint32_t stream) {
  std::uint64_t mixed = (std::uint64_t{number} * 2654435761U + std::uint64_t{stream} * 40503U) & 0xFFFFFFFFU;
  mixed ^= mixed >> 15;
  mixed = (mixed * 739982445U) & 0xFFFFFFFFU;
  mixed ^= mixed >> 12;
  mixed = (mixed * 1597334677U) & 0xFFFFFFFFU;
  mixed ^= mixed >> 15;
  return static_cast<std::uint32_t>(mixed);
}

}  // namespace bench
