#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic {

/// Code points of valid UTF-8: all bytes but the continuations.
constexpr std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

/// The first character of a text: its code point, or `valid` false and the one byte that is not UTF-8.
struct utf8_character {
  std::uint32_t code_point = 0;
  std::size_t size = 1;
  bool valid = true;
};

/// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. `text` is not empty.
constexpr utf8_character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  constexpr utf8_character broken{0, 1, false};
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return broken;
  std::uint32_t code_point = lead & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return broken;
    code_point = code_point << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < smallest[size] || surrogate || code_point > 0x10ffff) return broken;
  return {code_point, size, true};
}

/// Whether the bytes are UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF, nothing cut off.
constexpr bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const utf8_character first = first_character(bytes);
    if (!first.valid) return false;
    bytes.remove_prefix(first.size);
  }
  return true;
}

/// Appends a code point; it is neither a surrogate nor above U+10FFFF.
constexpr void append_utf8(std::string& text, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xc0 | code_point >> 6);
    put(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    put(0xe0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3f));
    put(0x80 | (code_point & 0x3f));
  } else {
    put(0xf0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3f));
    put(0x80 | (code_point >> 6 & 0x3f));
    put(0x80 | (code_point & 0x3f));
  }
}

}  // namespace etlantic
