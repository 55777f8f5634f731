#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic {

namespace detail {

constexpr std::string_view base64_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> base64_values = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < base64_letters.size(); ++i)
    values[static_cast<unsigned char>(base64_letters[i])] = static_cast<std::int8_t>(i);
  return values;
}();

}  // namespace detail

/// RFC 4648, section 4, with padding.
inline void append_base64(std::string& to, std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  const std::size_t start = to.size();
  to.resize(start + (bytes.size() + 2) / 3 * 4, '=');
  char* at = to.data() + start;
  const auto put = [&](std::uint32_t group, int letters) {
    for (int i = 0; i < letters; ++i) *at++ = detail::base64_letters[group >> (18 - 6 * i) & 63u];
  };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) put(byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2), 4);
  if (i + 1 == bytes.size()) put(byte(i) << 16, 2);
  if (i + 2 == bytes.size()) put(byte(i) << 16 | byte(i + 1) << 8, 3);
}

inline std::string encode_base64(std::string_view bytes) {
  std::string text;
  append_base64(text, bytes);
  return text;
}

/// Nothing for text that is not exactly what encode_base64 writes: other letters, missing padding, left-over bits.
inline std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding = !last || text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int value = k < 4 - padding ? detail::base64_values[static_cast<unsigned char>(text[i + k])] : 0;
      if (value < 0) return {};
      group = group << 6 | static_cast<std::uint32_t>(value);
    }
    if ((group & ((1u << (8 * padding)) - 1)) != 0) return {};
    for (std::size_t k = 0; k < 3 - padding; ++k)
      bytes.push_back(static_cast<char>(static_cast<unsigned char>(group >> (16 - 8 * k))));
  }
  return bytes;
}

}  // namespace etlantic
