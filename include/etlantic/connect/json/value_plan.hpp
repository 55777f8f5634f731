#pragma once
#include <etlantic/connect/json/short_literal.hpp>
#include <etlantic/connect/json/time_units.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/decimal.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace etlantic::detail {

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of a name outside
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// The usual form of a field's values. Values of `any` form are decoded by the code for all of JSON.
enum class value_form : std::uint8_t { integer, decimal, text, timestamp, enumeration, any };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// How the values of one field are decoded where they come in their usual form: worked out once from the contract.
struct value_plan {
  std::size_t field = 0;  // its place in the contract
  value_form form = value_form::any;
  bool nullable = false;
  bool checks_more = false;  // constraints that `least` and `greatest` do not say
  bool is_leaf = true;       // neither a struct nor a list
  std::uint8_t width = 8;    // of the value in its column
  std::int64_t least = 0;    // bounds of the type and of the constraints, in the unit of the column
  std::int64_t greatest = 0;
  std::int64_t unit = 1;  // of a decimal: 10^scale; of a count of seconds or milliseconds: microseconds
  int scale = 0;
  std::vector<short_literal> enumerators{};

  /// Whether the value stands in quotes.
  bool is_quoted() const {
    return form == value_form::text || form == value_form::timestamp || form == value_form::enumeration;
  }
};

// The enumerators whose literals are compared one by one; more are cheaper the general way.
inline constexpr std::size_t most_compared_enumerators = 8;

inline value_form form_for(const field_description& field) {
  switch (field.type) {
    case logical_type::int8:
    case logical_type::int16:
    case logical_type::int32:
    case logical_type::int64:
    case logical_type::uint8:
    case logical_type::uint16:
    case logical_type::uint32:
    case logical_type::uint64:
    case logical_type::duration: return value_form::integer;
    case logical_type::decimal: return field.precision <= 18 ? value_form::decimal : value_form::any;
    case logical_type::text: return value_form::text;
    case logical_type::timestamp:
      return field.form == time_form::rfc3339 ? value_form::timestamp
             : field.form == time_form::local ? value_form::any
                                              : value_form::integer;
    case logical_type::enumeration: {
      const auto plain = [](std::string_view name) {
        return name.size() <= short_literal::most && name.find_first_of("\"\\") == std::string_view::npos;
      };
      const bool few = field.enumerators.size() <= most_compared_enumerators;
      return few && std::all_of(field.enumerators.begin(), field.enumerators.end(), plain) ? value_form::enumeration
                                                                                           : value_form::any;
    }
    default: return value_form::any;
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

/// Takes the range constraints of a number or time into the plan's bounds; the others stay to be checked.
inline void take_bounds(value_plan& plan, const field_description& field) {
  const bool is_ordered =
      plan.form == value_form::integer || plan.form == value_form::decimal || plan.form == value_form::timestamp;
  int128 least = least_of(field);
  int128 greatest = greatest_of(field);
  for (const constraint_description& rule : field.constraints) {
    switch (is_ordered ? rule.kind : constraint_kind::one_of) {
      case constraint_kind::gt: least = std::max(least, rule.values[0].exact + 1); break;
      case constraint_kind::ge: least = std::max(least, rule.values[0].exact); break;
      case constraint_kind::lt: greatest = std::min(greatest, rule.values[0].exact - 1); break;
      case constraint_kind::le: greatest = std::min(greatest, rule.values[0].exact); break;
      default: plan.checks_more = true;
    }
  }
  // Bounds that no 64-bit value keeps or breaks come out right when they are held at the ends; `least` above `greatest`
  // then sends every row to the general code.
  constexpr int128 lowest = std::numeric_limits<std::int64_t>::min();
  constexpr int128 highest = std::numeric_limits<std::int64_t>::max();
  if (least > highest || greatest < lowest) {
    plan.least = 1;
    plan.greatest = 0;
    return;
  }
  plan.least = static_cast<std::int64_t>(std::max(least, lowest));
  plan.greatest = static_cast<std::int64_t>(std::min(greatest, highest));
}

inline value_plan plan_value(const field_description& field, std::size_t place) {
  value_plan plan;
  plan.field = place;
  plan.form = form_for(field);
  plan.nullable = field.nullable;
  plan.is_leaf = field.type != logical_type::structure && field.type != logical_type::list;
  plan.width = static_cast<std::uint8_t>(value_width(field));
  plan.scale = field.scale;
  plan.unit = plan.form == value_form::decimal        ? static_cast<std::int64_t>(power_of_ten(field.scale))
              : field.type == logical_type::timestamp ? microseconds_of(field.form)
                                                      : 1;
  take_bounds(plan, field);
  if (plan.form == value_form::enumeration)
    for (std::string_view name : field.enumerators) plan.enumerators.emplace_back(name);
  return plan;
}

/// One plan per field, in contract order.
inline std::vector<value_plan> plan_values(std::span<const field_description> fields) {
  std::vector<value_plan> plans;
  for (std::size_t i = 0; i < fields.size(); ++i) plans.push_back(plan_value(fields[i], i));
  return plans;
}

}  // namespace etlantic::detail
