#pragma once
#include <string_view>

namespace etlantic {

/// Whether a text could be the name of a time zone in the IANA data base, and is neither a path to some other file nor
/// the zone that this machine happens to be in.
constexpr bool is_zone_name(std::string_view name) {
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_other = (c >= '0' && c <= '9') || c == '_' || c == '+' || c == '-' || c == '/';
    if (!is_letter && !is_other) return false;
  }
  return !name.empty() && name.front() != '/' && name != "localtime";
}

}  // namespace etlantic
