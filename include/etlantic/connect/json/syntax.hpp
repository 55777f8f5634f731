#pragma once
#include <etlantic/core/json_number.hpp>
#include <etlantic/kernel/text_scan.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// JSON's grammar (RFC 8259), checked completely: what a reader skips is checked as strictly as what it takes. UTF-8
/// is checked apart, for many lines at once. Nothing here recurses on the data.
namespace etlantic::detail {

enum class json_kind : std::uint8_t { nothing, null, boolean, number, string, object, array };
enum class json_fault : std::uint8_t { none, malformed, depth };

/// Arrays and objects that may be open at once.
inline constexpr int json_depth_limit = 1024;

/// One value of a checked text. Strings are without their quotes.
struct json_token {
  json_kind kind = json_kind::nothing;
  bool escaped = false;
  std::string_view text{};
};

constexpr bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

inline const char* skip_json_blanks(const char* at, const char* end) {
  while (at != end && is_json_blank(*at)) ++at;
  return at;
}

// Four hexadecimal digits, or a number above 0xffff when they are none.
inline std::uint32_t json_hex4(const char* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    const char lower = static_cast<char>(c | 0x20);
    if (is_digit(c))
      value = value << 4 | static_cast<std::uint32_t>(c - '0');
    else if (lower >= 'a' && lower <= 'f')
      value = value << 4 | static_cast<std::uint32_t>(lower - 'a' + 10);
    else
      return 0x10000;
  }
  return value;
}

// `at` is on a backslash: the place behind the escape, or null. A surrogate counts only as one half of a pair.
inline const char* skip_json_escape(const char* at, const char* end) {
  if (end - at < 2) return nullptr;
  if (at[1] != 'u') return std::string_view("\"\\/bfnrt").find(at[1]) == std::string_view::npos ? nullptr : at + 2;
  if (end - at < 6) return nullptr;
  const std::uint32_t unit = json_hex4(at + 2);
  if (unit > 0xffff || (unit >= 0xdc00 && unit <= 0xdfff)) return nullptr;
  if (unit < 0xd800 || unit > 0xdbff) return at + 6;
  if (end - at < 12 || at[6] != '\\' || at[7] != 'u') return nullptr;
  const std::uint32_t low = json_hex4(at + 8);
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : nullptr;
}

// `at` is behind the opening quote: the place of the closing quote, or null.
inline const char* find_json_string_end(const char* at, const char* end, bool& escaped) {
  escaped = false;
  for (;;) {
    at = kernel::scan_text(at, end).at;
    if (at == end) return nullptr;
    if (*at == '"') return at;
    if (*at != '\\') return nullptr;
    escaped = true;
    at = skip_json_escape(at, end);
    if (at == nullptr) return nullptr;
  }
}

/// A string, number, true, false or null that starts at `at`: the place behind it, or null.
inline const char* read_json_scalar(const char* at, const char* end, json_token& token) {
  const auto word = [&](std::string_view expected, json_kind kind) -> const char* {
    if (!std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(expected)) return nullptr;
    token = {kind, false, {at, expected.size()}};
    return at + expected.size();
  };
  if (at == end) return nullptr;
  switch (*at) {
    case '"': {
      bool escaped;
      const char* const quote = find_json_string_end(at + 1, end, escaped);
      if (quote == nullptr) return nullptr;
      token = {json_kind::string, escaped, {at + 1, static_cast<std::size_t>(quote - at - 1)}};
      return quote + 1;
    }
    case 't': return word("true", json_kind::boolean);
    case 'f': return word("false", json_kind::boolean);
    case 'n': return word("null", json_kind::null);
    default: {
      json_number number;
      const char* const behind = read_json_number(at, end, number);
      if (behind == nullptr) return nullptr;
      token = {json_kind::number, false, {at, static_cast<std::size_t>(behind - at)}};
      return behind;
    }
  }
}

/// Whether the text is one string, number, true, false or null, and nothing else.
inline bool is_json_scalar(const char* begin, const char* end, json_token& token) {
  return begin < end && read_json_scalar(begin, end, token) == end;
}

/// `at` is behind an opening brace or comma of an object: reads `"name" :` and gives the place of the value, or null.
inline const char* read_json_name(const char* at, const char* end, json_token& name) {
  at = skip_json_blanks(at, end);
  if (at == end || *at != '"') return nullptr;
  at = read_json_scalar(at, end, name);
  if (at == nullptr) return nullptr;
  at = skip_json_blanks(at, end);
  if (at == end || *at != ':') return nullptr;
  return skip_json_blanks(at + 1, end);
}

/// What kinds of containers are open: one bit each, so that depth costs no stack.
class json_nesting {
 public:
  explicit json_nesting(int outside) : outside_(outside) {}

  bool empty() const { return depth_ == 0; }
  bool in_object() const { return (bits_[word(depth_ - 1)] >> ((depth_ - 1) % 64) & 1) != 0; }
  bool open(bool object) {
    if (outside_ + depth_ == json_depth_limit) return false;
    auto& bits = bits_[word(depth_)];
    const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
    bits = object ? bits | bit : bits & ~bit;
    ++depth_;
    return true;
  }
  void close() { --depth_; }

 private:
  static std::size_t word(int depth) { return static_cast<std::size_t>(depth) / 64; }

  int outside_;
  int depth_ = 0;
  std::array<std::uint64_t, json_depth_limit / 64> bits_{};
};

/// Any value that starts at `at`, checked to its end; `outside` containers are open already.
/// Gives the place behind it and what it is, or null and why.
inline const char* read_json_value(const char* at, const char* end, int outside, json_token& token, json_fault& fault) {
  fault = json_fault::malformed;
  if (at == end) return nullptr;
  if (*at != '{' && *at != '[') {
    at = read_json_scalar(at, end, token);
    if (at != nullptr) fault = json_fault::none;
    return at;
  }

  const char* const begin = at;
  const json_kind kind = *begin == '{' ? json_kind::object : json_kind::array;
  json_nesting nesting(outside);
  json_token inner;
  for (;;) {  // here `at` is on the first character of a value
    if (at == end) return nullptr;
    if (*at == '{' || *at == '[') {
      const bool object = *at == '{';
      if (!nesting.open(object)) {
        fault = json_fault::depth;
        return nullptr;
      }
      at = skip_json_blanks(at + 1, end);
      if (at == end) return nullptr;
      if (*at != (object ? '}' : ']')) {
        if (object && (at = read_json_name(at, end, inner)) == nullptr) return nullptr;
        continue;
      }
    } else {
      at = read_json_scalar(at, end, inner);
      if (at == nullptr) return nullptr;
      at = skip_json_blanks(at, end);
    }
    // Behind a value, or on the bracket of an empty container: close what closes here, up to the next comma.
    while (at != end && *at == (nesting.in_object() ? '}' : ']')) {
      nesting.close();
      ++at;
      if (nesting.empty()) {
        token = {kind, false, {begin, static_cast<std::size_t>(at - begin)}};
        fault = json_fault::none;
        return at;
      }
      at = skip_json_blanks(at, end);
    }
    if (at == end || *at != ',') return nullptr;
    at = skip_json_blanks(at + 1, end);
    if (nesting.in_object() && (at = read_json_name(at, end, inner)) == nullptr) return nullptr;
  }
}

}  // namespace etlantic::detail
