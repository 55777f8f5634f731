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

namespace detail {

template <class Word>
inline std::uint64_t word_at(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// All of a text of less than 8 bytes in a word; texts of different sizes may share one.
inline std::uint64_t short_text(const char* at, std::size_t size) {
  if (size >= 4) return word_at<std::uint32_t>(at) | word_at<std::uint32_t>(at + size - 4) << 32;
  if (size == 0) return 0;
  const auto byte = [at](std::size_t place) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(at[place]));
  };
  return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

}  // namespace detail

/// Whole words, and a last one that may overlap the one before: calls of memcpy for a few bytes would take most of the
/// time.
inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = hash_word(text.size(), seed);
  const char* at = text.data();
  const std::size_t size = text.size();
  if (size < 8) return hash_word(detail::short_text(at, size), hash);
  for (std::size_t place = 0; place + 8 < size; place += 8)
    hash = hash_word(detail::word_at<std::uint64_t>(at + place), hash);
  return hash_word(detail::word_at<std::uint64_t>(at + size - 8), hash);
}

inline bool same_text(std::string_view left, std::string_view right) {
  const std::size_t size = left.size();
  if (size != right.size()) return false;
  const char *l = left.data(), *r = right.data();
  if (size < 8) return detail::short_text(l, size) == detail::short_text(r, size);
  for (std::size_t place = 0; place + 8 < size; place += 8)
    if (detail::word_at<std::uint64_t>(l + place) != detail::word_at<std::uint64_t>(r + place)) return false;
  return detail::word_at<std::uint64_t>(l + size - 8) == detail::word_at<std::uint64_t>(r + size - 8);
}

}  // namespace etlantic::kernel
