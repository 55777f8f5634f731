#pragma once
#include <etlantic/connect/json/syntax.hpp>
#include <etlantic/core/utf8.hpp>

#include <string>
#include <string_view>

namespace etlantic::detail {

/// Appends a checked JSON string with its escapes resolved.
inline void append_unescaped(std::string& text, std::string_view raw) {
  const char* at = raw.data();
  const char* const end = at + raw.size();
  while (at != end) {
    if (*at != '\\') {
      const char* const begin = at;
      while (at != end && *at != '\\') ++at;
      text.append(begin, at);
      continue;
    }
    const char letter = at[1];
    at += 2;
    switch (letter) {
      case 'b': text.push_back('\b'); break;
      case 'f': text.push_back('\f'); break;
      case 'n': text.push_back('\n'); break;
      case 'r': text.push_back('\r'); break;
      case 't': text.push_back('\t'); break;
      case 'u': {
        std::uint32_t code_point = json_hex4(at);
        at += 4;
        if (code_point >= 0xd800 && code_point <= 0xdbff) {
          code_point = 0x10000 + ((code_point - 0xd800) << 10) + (json_hex4(at + 2) - 0xdc00);
          at += 6;
        }
        append_utf8(text, code_point);
        break;
      }
      default: text.push_back(letter); break;
    }
  }
}

/// The text of a string token; resolved escapes go into `scratch`, which the result may point into.
inline std::string_view unescaped(const json_token& token, std::string& scratch) {
  if (!token.escaped) return token.text;
  scratch.clear();
  append_unescaped(scratch, token.text);
  return scratch;
}

}  // namespace etlantic::detail
