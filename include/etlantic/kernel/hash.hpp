#pragma once
#include <etlantic/core/integer128.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace etlantic::kernel {

inline constexpr std::uint64_t hash_seed = 0x9E3779B97F4A7C15u;

/// Folded 64x64 multiplication: every bit of both words reaches every bit of the result (wyhash's mixing step).
inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  // Two expressions for one instruction: gcc 12 sends the halves of a variable of 128 bits through memory.
  return (a * b) ^ static_cast<std::uint64_t>((static_cast<uint128>(a) * b) >> 64);
}

inline std::uint64_t hash_word(std::uint64_t word, std::uint64_t seed) {
  return fold_multiply(word ^ seed, 0xD6E8FEB86659FD93u ^ (seed >> 1));
}

inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = hash_word(text.size(), seed);
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    hash = hash_word(word, hash);
  }
  std::uint64_t tail = 0;
  if (left != 0) std::memcpy(&tail, at, left);
  return hash_word(tail, hash);
}

}  // namespace etlantic::kernel
