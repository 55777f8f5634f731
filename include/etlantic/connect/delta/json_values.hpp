#pragma once
#include <etlantic/connect/json/escapes.hpp>
#include <etlantic/core/parse_number.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

// Looks into checked JSON by its tokens, which keep the digits of numbers: statistics hold decimals.

namespace etlantic::delta {

using etlantic::detail::json_kind;
using etlantic::detail::json_token;

/// A text that is looked into. It is copied, because what reads it looks at some bytes behind its end.
class json_document {
 public:
  explicit json_document(std::string_view text) : bytes_(text) {
    bytes_.append(readable_behind, '\0');
    const char* const end = bytes_.data() + text.size();
    json_token token;
    etlantic::detail::json_fault fault{};
    const char* at = etlantic::detail::skip_json_blanks(bytes_.data(), end);
    at = etlantic::detail::read_json_value(at, end, 0, token, fault);
    if (at != nullptr && etlantic::detail::skip_json_blanks(at, end) == end) value_ = token;
  }
  json_document(const json_document&) = delete;
  json_document& operator=(const json_document&) = delete;

  /// The one value that the text consists of; nothing if it is not JSON.
  const std::optional<json_token>& value() const { return value_; }

 private:
  static constexpr std::size_t readable_behind = 64;

  std::string bytes_;
  std::optional<json_token> value_;
};

inline std::string text_of(const json_token& token) {
  std::string scratch;
  return std::string(etlantic::detail::unescaped(token, scratch));
}

inline std::optional<std::int64_t> integer_of(const json_token& token) {
  const auto parsed = parse_integer<std::int64_t>(token.text);
  if (token.kind != json_kind::number || !parsed.ok()) return {};
  return parsed.value;
}

/// Calls `take(name, value)` for each member of an object that has been checked; nothing for other values.
template <class Take>
void for_each_member(const json_token& object, Take take) {
  if (object.kind != json_kind::object) return;
  const char* at = object.text.data() + 1;
  const char* const end = object.text.data() + object.text.size();
  for (;;) {
    at = etlantic::detail::skip_json_blanks(at, end);
    if (*at == '}') return;
    if (*at == ',') ++at;
    json_token name, value;
    etlantic::detail::json_fault fault{};
    at = etlantic::detail::read_json_name(at, end, name);
    at = etlantic::detail::read_json_value(at, end, 1, value, fault);
    take(text_of(name), value);
  }
}

/// Calls `take(value)` for each element of an array that has been checked; nothing for other values.
template <class Take>
void for_each_element(const json_token& array, Take take) {
  if (array.kind != json_kind::array) return;
  const char* at = array.text.data() + 1;
  const char* const end = array.text.data() + array.text.size();
  for (;;) {
    at = etlantic::detail::skip_json_blanks(at, end);
    if (*at == ']') return;
    if (*at == ',') at = etlantic::detail::skip_json_blanks(at + 1, end);
    json_token value;
    etlantic::detail::json_fault fault{};
    at = etlantic::detail::read_json_value(at, end, 1, value, fault);
    take(value);
  }
}

/// The member of that name, of kind `nothing` if there is none.
inline json_token member_of(const json_token& object, std::string_view wanted) {
  json_token found;
  for_each_member(object, [&](const std::string& name, const json_token& value) {
    if (name == wanted) found = value;
  });
  return found;
}

}  // namespace etlantic::delta
