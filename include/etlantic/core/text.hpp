#pragma once
#include <compare>
#include <string>
#include <string_view>
#include <utility>

namespace etlantic {

/// UTF-8 text of any length. Compared and ordered by unsigned bytes.
struct text {
  std::string value;

  text() = default;
  text(const char* characters) : value(characters) {}
  text(std::string characters) : value(std::move(characters)) {}
  text(std::string_view characters) : value(characters) {}

  operator std::string_view() const { return value; }
  friend bool operator==(const text&, const text&) = default;
  friend auto operator<=>(const text&, const text&) = default;
};

/// Bytes without a meaning to us. In JSON: base64 (RFC 4648, with padding).
struct binary {
  std::string value;

  friend bool operator==(const binary&, const binary&) = default;
  friend auto operator<=>(const binary&, const binary&) = default;
};

}  // namespace etlantic
