#pragma once
#include <etlantic/connect/json/syntax.hpp>
#include <etlantic/connect/json/validate.hpp>

#include <simdjson.h>

namespace etlantic {

namespace detail {

[[gnu::used]] inline bool is_utf8_text(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

}  // namespace detail

[[gnu::used]] inline json_verdict validate_json(std::string_view text) {
  if (!detail::is_utf8_text(text)) return json_verdict::malformed;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const char* const end = text.data() + text.size();
  detail::json_token token;
  detail::json_fault fault;
  const char* const behind = detail::read_json_value(detail::skip_json_blanks(text.data(), end), end, 0, token, fault);
  if (fault == detail::json_fault::depth) return json_verdict::too_deep;
  if (behind == nullptr || detail::skip_json_blanks(behind, end) != end) return json_verdict::malformed;
  return json_verdict::json;
}

}  // namespace etlantic
