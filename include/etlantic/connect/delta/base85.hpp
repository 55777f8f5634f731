#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic::delta {

namespace detail {

inline constexpr std::string_view base85_digits =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

constexpr std::array<std::uint8_t, 256> make_base85_values() {
  std::array<std::uint8_t, 256> values{};
  for (auto& each : values) each = 0xff;
  for (std::size_t i = 0; i < base85_digits.size(); ++i)
    values[static_cast<unsigned char>(base85_digits[i])] = static_cast<std::uint8_t>(i);
  return values;
}

inline constexpr std::array<std::uint8_t, 256> base85_values = make_base85_values();

}  // namespace detail

/// The bytes of a text in Base85 in the variant of ZeroMQ (RFC 32, "Z85"): five digits are four bytes, the first of
/// most weight. Nothing if it is no such text.
inline std::optional<std::string> from_base85(std::string_view text) {
  if (text.size() % 5 != 0) return {};
  std::string bytes;
  bytes.reserve(text.size() / 5 * 4);
  for (std::size_t i = 0; i < text.size(); i += 5) {
    std::uint64_t word = 0;
    for (const char c : text.substr(i, 5)) {
      const std::uint8_t value = detail::base85_values[static_cast<unsigned char>(c)];
      if (value == 0xff) return {};
      word = word * 85 + value;
    }
    if (word > UINT32_MAX) return {};
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift);
  }
  return bytes;
}

}  // namespace etlantic::delta
