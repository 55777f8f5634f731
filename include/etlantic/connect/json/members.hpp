#pragma once
#include <etlantic/connect/json/escapes.hpp>
#include <etlantic/contract/schema.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace etlantic::detail {

/// The field that a member name means, or -1. Members mostly come in the contract's order, so the search starts at
/// `guess`.
inline std::ptrdiff_t find_member(std::span<const field_description> fields, std::string_view name, std::size_t guess) {
  for (std::size_t i = 0, at = guess; i < fields.size(); ++i, ++at) {
    if (at >= fields.size()) at = 0;
    if (fields[at].data_name == name) return static_cast<std::ptrdiff_t>(at);
  }
  return -1;
}

/// Reads the object that starts at `at`; gives each member to `take(field, value)` in order. The place behind the
/// object, or null and why. `outside` containers are open already.
template <class Take>
const char* read_json_object(const char* at, const char* end, int outside, std::span<const field_description> fields,
                             std::string& scratch, json_fault& fault, Take&& take) {
  fault = outside == json_depth_limit ? json_fault::depth : json_fault::malformed;
  if (outside == json_depth_limit) return nullptr;
  at = skip_json_blanks(at + 1, end);
  if (at != end && *at == '}') {
    fault = json_fault::none;
    return at + 1;
  }
  std::size_t guess = 0;
  for (;;) {
    json_token name;
    at = read_json_name(at, end, name);
    if (at == nullptr) return nullptr;
    const std::ptrdiff_t field = find_member(fields, unescaped(name, scratch), guess);
    if (field >= 0) guess = static_cast<std::size_t>(field) + 1;
    json_token value;
    at = read_json_value(at, end, outside + 1, value, fault);
    if (at == nullptr) return nullptr;
    take(field, value);
    fault = json_fault::malformed;
    at = skip_json_blanks(at, end);
    if (at == end) return nullptr;
    if (*at == '}') {
      fault = json_fault::none;
      return at + 1;
    }
    if (*at != ',') return nullptr;
    ++at;
  }
}

}  // namespace etlantic::detail
