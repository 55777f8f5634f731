#pragma once
#include <etlantic/core/integer128.hpp>
#include <etlantic/kernel/group_key.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace etlantic::kernel {

// Hashes that sketches keep: part of saved states, so that they never change and are the same on every machine. Values
// that are one key are one value here, too; those of up to 64 bits never share a hash.

/// The last steps of MurmurHash3: a permutation of the words of 64 bits in which every bit reaches every other.
constexpr std::uint64_t sketch_mix(std::uint64_t word) {
  word ^= word >> 33;
  word *= 0xFF51AFD7ED558CCDu;
  word ^= word >> 33;
  word *= 0xC4CEB9FE1A85EC53u;
  word ^= word >> 33;
  return word;
}

constexpr std::uint64_t sketch_hash_text(std::string_view text) {
  std::uint64_t hash = sketch_mix(0x9E3779B97F4A7C15u + text.size());
  for (std::size_t begin = 0; begin < text.size(); begin += 8) {
    const std::string_view part = text.substr(begin, 8);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < part.size(); ++i)
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(part[i])) << (8 * i);
    hash = sketch_mix((hash ^ word) + 0x9E3779B97F4A7C15u);
  }
  return hash;
}

template <class Value>
constexpr std::uint64_t sketch_hash(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string_view>)
    return sketch_hash_text(value);
  else if constexpr (std::is_floating_point_v<Value>)
    return sketch_mix(std::bit_cast<std::uint64_t>(static_cast<double>(key_form(value))) + 0x9E3779B97F4A7C15u);
  else if constexpr (sizeof(Value) > 8)
    return sketch_mix(sketch_mix(static_cast<std::uint64_t>(value >> 64) + 0x9E3779B97F4A7C15u) ^
                      static_cast<std::uint64_t>(value));
  else
    return sketch_mix(static_cast<std::uint64_t>(value) + 0x9E3779B97F4A7C15u);
}

}  // namespace etlantic::kernel
