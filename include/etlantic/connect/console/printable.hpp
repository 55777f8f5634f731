#pragma once
#include <etlantic/core/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic::detail {

/// Control characters drive the terminal; marks of direction and invisible ones make text look like another.
constexpr bool is_printable(std::uint32_t c) {
  const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
  const bool invisible = c == 0xad || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
                         (c >= 0x2060 && c <= 0x206f) || c == 0x061c || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
                         (c >= 0xe0000 && c <= 0xe0fff);
  return !control && !invisible;
}

inline void append_escape(std::string& to, char kind, std::uint32_t value) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  std::string digits;
  for (; value != 0 || digits.size() < 2; value >>= 4) digits.insert(digits.begin(), hexadecimal[value & 15u]);
  to += '\\';
  to += kind;
  to += kind == 'u' ? "{" + digits + "}" : digits;
}

struct printable_text {
  std::string characters;
  std::size_t width = 0;  ///< in code points
};

/// At most `limit` characters of the text, in a form that a terminal only shows.
inline printable_text printable(std::string_view text, std::size_t limit) {
  printable_text made;
  while (!text.empty()) {
    const utf8_character first = first_character(text);
    std::string shown(text.substr(0, first.size));
    std::size_t width = 1;
    if (!first.valid || !is_printable(first.code_point) || shown == "\\") {
      const bool is_line_feed = shown == "\n";
      const bool is_backslash = shown == "\\";
      const auto byte = static_cast<unsigned char>(text.front());
      shown = is_line_feed ? "\\n" : is_backslash ? "\\\\" : "";
      if (shown.empty()) append_escape(shown, first.valid ? 'u' : 'x', first.valid ? first.code_point : byte);
      width = shown.size();
    }
    if (made.width + width > limit) {
      made.characters += "...";
      made.width += 3;
      break;
    }
    made.characters += shown;
    made.width += width;
    text.remove_prefix(first.size);
  }
  return made;
}

}  // namespace etlantic::detail
