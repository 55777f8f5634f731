#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of a name outside
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// What is wrong with a field, or with a whole row that could not be read (the last three).
enum class violation_reason : std::uint8_t {
  missing,
  null,
  wrong_type,
  out_of_range,
  constraint,
  not_in_set,
  bad_text,
  scale,
  future,
  malformed,
  depth,
  too_long,
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
inline constexpr std::size_t violation_reason_count = 12;

constexpr std::string_view name_of(violation_reason reason) {
  constexpr std::string_view names[violation_reason_count] = {"missing",    "null",       "wrong_type", "out_of_range",
                                                              "constraint", "not_in_set", "bad_text",   "scale",
                                                              "future",     "malformed",  "depth",      "too_long"};
  return names[static_cast<int>(reason)];
}

/// One field of a row that breaks its contract. Fields inside others are `address.city` and `items[3]`.
struct violation {
  std::string field;
  violation_reason reason{};

  friend bool operator==(const violation&, const violation&) = default;
};

/// `field=reason` separated by `;`, as the column `violations` of rejected rows has it.
inline std::string text_of(const std::vector<violation>& violations) {
  std::string text;
  for (const violation& each : violations) {
    if (!text.empty()) text += ';';
    text.append(each.field).append("=").append(name_of(each.reason));
  }
  return text;
}

}  // namespace etlantic
