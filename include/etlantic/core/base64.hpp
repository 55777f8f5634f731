#pragma once
#include <array>
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
inline std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
    };
    const std::uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t k = 0; k < 4; ++k)
      text.push_back(i + k > bytes.size() ? '=' : detail::base64_letters[group >> (18 - 6 * k) & 0x3f]);
  }
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
