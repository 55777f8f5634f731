#pragma once
#include <string>
#include <string_view>

namespace etlantic {

/// An ASCII character that does not stand for itself in a JSON string: the short escape where RFC 8259 has one.
inline void append_json_escape(std::string& to, char c) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  switch (c) {
    case '"': to += "\\\""; break;
    case '\\': to += "\\\\"; break;
    case '\n': to += "\\n"; break;
    case '\r': to += "\\r"; break;
    case '\t': to += "\\t"; break;
    case '\b': to += "\\b"; break;
    case '\f': to += "\\f"; break;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      to += "\\u00";
      to += hexadecimal[byte >> 4];
      to += hexadecimal[byte & 15u];
    }
  }
}

}  // namespace etlantic
