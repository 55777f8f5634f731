#pragma once
#include <etlantic/connect/json/row_layout.hpp>
#include <etlantic/connect/json/time_units.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/decimal.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::detail {

inline constexpr bool is_quoted_kind(segment_kind kind) {
  return kind == segment_kind::text || kind == segment_kind::timestamp || kind == segment_kind::enumeration ||
         kind == segment_kind::ignored_text;
}

// The enumerators whose literals are compared one by one; more are cheaper the general way.
inline constexpr std::size_t most_compared_enumerators = 8;

inline segment_kind kind_for(const field_description& field) {
  switch (field.type) {
    case logical_type::int8:
    case logical_type::int16:
    case logical_type::int32:
    case logical_type::int64:
    case logical_type::uint8:
    case logical_type::uint16:
    case logical_type::uint32:
    case logical_type::uint64:
    case logical_type::duration: return segment_kind::integer;
    case logical_type::decimal: return field.precision <= 18 ? segment_kind::decimal : segment_kind::any;
    case logical_type::text: return segment_kind::text;
    case logical_type::timestamp:
      return field.form == time_form::rfc3339 ? segment_kind::timestamp : segment_kind::integer;
    case logical_type::enumeration: {
      const auto plain = [](std::string_view name) {
        return name.size() < short_literal::most && name.find_first_of("\"\\") == std::string_view::npos;
      };
      const bool few = field.enumerators.size() <= most_compared_enumerators;
      return few && std::all_of(field.enumerators.begin(), field.enumerators.end(), plain) ? segment_kind::enumeration
                                                                                           : segment_kind::any;
    }
    default: return segment_kind::any;
  }
}

inline int128 least_of(const field_description& field) {
  switch (field.type) {
    case logical_type::int8: return std::numeric_limits<std::int8_t>::min();
    case logical_type::int16: return std::numeric_limits<std::int16_t>::min();
    case logical_type::int32: return std::numeric_limits<std::int32_t>::min();
    case logical_type::uint8:
    case logical_type::uint16:
    case logical_type::uint32:
    case logical_type::uint64: return 0;
    case logical_type::decimal: return 1 - power_of_ten(field.precision);
    default: return std::numeric_limits<std::int64_t>::min();
  }
}

inline int128 greatest_of(const field_description& field) {
  switch (field.type) {
    case logical_type::int8: return std::numeric_limits<std::int8_t>::max();
    case logical_type::int16: return std::numeric_limits<std::int16_t>::max();
    case logical_type::int32: return std::numeric_limits<std::int32_t>::max();
    case logical_type::uint8: return std::numeric_limits<std::uint8_t>::max();
    case logical_type::uint16: return std::numeric_limits<std::uint16_t>::max();
    case logical_type::uint32: return std::numeric_limits<std::uint32_t>::max();
    case logical_type::decimal: return power_of_ten(field.precision) - 1;
    default: return std::numeric_limits<std::int64_t>::max();
  }
}

/// Takes the range constraints of a number or time into the segment's bounds; the others stay to be checked.
inline void take_bounds(layout_segment& segment, const field_description& field) {
  const bool is_ordered = segment.kind == segment_kind::integer || segment.kind == segment_kind::decimal ||
                          segment.kind == segment_kind::timestamp;
  int128 least = least_of(field);
  int128 greatest = greatest_of(field);
  for (const constraint_description& rule : field.constraints) {
    switch (is_ordered ? rule.kind : constraint_kind::one_of) {
      case constraint_kind::gt: least = std::max(least, rule.values[0].exact + 1); break;
      case constraint_kind::ge: least = std::max(least, rule.values[0].exact); break;
      case constraint_kind::lt: greatest = std::min(greatest, rule.values[0].exact - 1); break;
      case constraint_kind::le: greatest = std::min(greatest, rule.values[0].exact); break;
      default: segment.checks_more = true;
    }
  }
  // Bounds that no 64-bit value keeps or breaks come out right when they are held at the ends; `least` above `greatest`
  // then sends every row to the general code.
  constexpr int128 lowest = std::numeric_limits<std::int64_t>::min();
  constexpr int128 highest = std::numeric_limits<std::int64_t>::max();
  if (least > highest || greatest < lowest) {
    segment.least = 1;
    segment.greatest = 0;
    return;
  }
  segment.least = static_cast<std::int64_t>(std::max(least, lowest));
  segment.greatest = static_cast<std::int64_t>(std::min(greatest, highest));
}

inline bool comes_in_quotes(const seen_member& member, segment_kind kind) {
  return is_quoted_kind(kind) || member.value.kind == json_kind::string;
}

/// What to expect in the place of a member, but for the bytes before it.
inline layout_segment segment_for(const seen_member& member, std::span<const field_description> fields) {
  layout_segment segment;
  segment.field = member.field;
  if (member.field < 0) {
    if (member.value.kind == json_kind::string) segment.kind = segment_kind::ignored_text;
    return segment;
  }
  const field_description& field = fields[static_cast<std::size_t>(member.field)];
  segment.kind = kind_for(field);
  segment.nullable = field.nullable;
  segment.width = static_cast<std::uint8_t>(value_width(field));
  segment.scale = field.scale;
  segment.unit = segment.kind == segment_kind::decimal   ? static_cast<std::int64_t>(power_of_ten(field.scale))
                 : field.type == logical_type::timestamp ? microseconds_of(field.form)
                                                         : 1;
  take_bounds(segment, field);
  if (segment.kind == segment_kind::enumeration)
    for (std::string_view name : field.enumerators) segment.enumerators.emplace_back(std::string(name) + '"');
  segment.in_quotes = field.nullable && segment.kind != segment_kind::any && comes_in_quotes(member, segment.kind);
  return segment;
}

/// The layout of a valid line, from its members in order; `begin` and `end` are those of the line. Nothing when a
/// field comes twice: then which value counts depends on more than its place.
inline std::optional<row_layout> learn_layout(const char* begin, const char* end, std::span<const seen_member> members,
                                              std::span<const field_description> fields) {
  std::vector<layout_segment> segments;
  std::vector<bool> present(fields.size());
  const char* at = begin;
  const auto until = [&](const char* stop) { return std::string_view(at, static_cast<std::size_t>(stop - at)); };
  for (const seen_member& member : members) {
    if (member.field >= 0) {
      const auto field = static_cast<std::size_t>(member.field);
      if (present[field]) return {};
      present[field] = true;
    }
    // The token of a string is without its quotes. They belong to the literals around it, where null cannot come.
    const bool is_string = member.value.kind == json_kind::string;
    const char* value = member.value.text.data();
    const char* behind = value + member.value.text.size();
    layout_segment segment = segment_for(member, fields);
    if (is_string && (segment.in_quotes || segment.kind == segment_kind::any)) {
      --value;
      ++behind;
    }
    segment.before = literal_bytes(until(value));
    segments.push_back(std::move(segment));
    at = behind;
  }
  row_layout layout{std::move(segments), literal_bytes(until(end)), {}, false};
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (!present[i]) layout.absent.push_back(static_cast<std::ptrdiff_t>(i));
  for (const layout_segment& segment : layout.segments) layout.has_any |= segment.kind == segment_kind::any;
  return layout;
}

}  // namespace etlantic::detail
