#pragma once
#include <etlantic/connect/delta/check_constraint.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace etlantic::delta {

namespace detail {

/// Names that need no quotes in any dialect may still be words of SQL: all are quoted, as Spark and others have it.
inline std::string sql_name(std::string_view name) {
  std::string text = "`";
  for (const char c : name) text += c == '`' ? std::string("``") : std::string(1, c);
  return text + '`';
}

/// Quotes and backslashes mean different things in different dialects.
inline std::optional<std::string> sql_text(std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '\'' && c != '\\' && c != '"'; };
  if (!std::all_of(text.begin(), text.end(), is_plain)) return {};
  return '\'' + std::string(text) + '\'';
}

/// A number that every engine takes for exactly this one.
inline std::optional<std::string> sql_real(double value) {
  constexpr double exact_in_float = 16'777'216;
  if (std::trunc(value) != value || std::abs(value) > exact_in_float) return {};
  return std::to_string(static_cast<std::int64_t>(value));
}

inline std::optional<std::string> sql_constant(const field_description& field, const constant_description& value) {
  switch (field.type) {
    case logical_type::float32:
    case logical_type::float64: return sql_real(value.real);
    case logical_type::text: return sql_text(value.characters);
    case logical_type::date: return "DATE '" + format_date({static_cast<std::int32_t>(value.exact)}) + '\'';
    case logical_type::decimal: {
      // Some engines take 0.01 for floating point.
      const std::string digits = format_decimal(value.exact, field.scale);
      int128 unit = 1;
      for (int i = 0; i < field.scale; ++i) unit *= 10;
      if (value.exact % unit == 0) return format_decimal(value.exact / unit, 0);
      return "CAST('" + digits + "' AS DECIMAL(" + std::to_string(field.precision) + ',' + std::to_string(field.scale) +
             "))";
    }
    case logical_type::int8:
    case logical_type::int16:
    case logical_type::int32:
    case logical_type::int64:
    case logical_type::uint8:
    case logical_type::uint16:
    case logical_type::uint32:
    case logical_type::uint64:
    case logical_type::duration: return format_decimal(value.exact, 0);
    default: return {};
  }
}

inline std::optional<std::string> sql_set(const std::string& name,
                                          std::span<const std::optional<std::string>> members) {
  std::string all;
  for (const auto& each : members) {
    if (!each) return {};
    all += (all.empty() ? "" : ", ") + *each;
  }
  return name + " IN (" + all + ')';
}

inline std::optional<std::string> sql_of(const field_description& field, const constraint_description& constraint) {
  const std::string name = sql_name(field.data_name);
  std::vector<std::optional<std::string>> values;
  if (constraint.kind == constraint_kind::min_length || constraint.kind == constraint_kind::max_length) {
    if (field.type != logical_type::text) return {};
    return "length(" + name + (constraint.kind == constraint_kind::min_length ? ") >= " : ") <= ") +
           format_decimal(constraint.values[0].exact, 0);
  }
  for (const constant_description& each : constraint.values) values.push_back(sql_constant(field, each));
  if (constraint.kind == constraint_kind::one_of) return sql_set(name, values);
  if (!values[0] || field.type == logical_type::text) return {};
  constexpr std::string_view comparisons[] = {" > ", " >= ", " < ", " <= "};
  return name + std::string(comparisons[static_cast<int>(constraint.kind)]) + *values[0];
}

/// Lower case, as engines keep them, and unlike all others.
inline std::string constraint_name(const field_description& field, std::string_view kind,
                                   const std::vector<check_constraint>& others) {
  std::string name;
  for (const char c : std::string(field.data_name) + '_' + std::string(kind)) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    name += (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') ? lower : '_';
  }
  const auto is_taken = [&](const std::string& wanted) {
    return std::any_of(others.begin(), others.end(), [&](const check_constraint& each) { return each.name == wanted; });
  };
  std::string unique = name;
  for (int i = 2; is_taken(unique); ++i) unique = name + '_' + std::to_string(i);
  return unique;
}

}  // namespace detail

[[gnu::used]] inline std::vector<check_constraint> check_constraints_of(const schema& contract) {
  std::vector<check_constraint> found;
  const auto add = [&](const field_description& field, std::string_view kind, const std::optional<std::string>& sql) {
    if (!sql) return;
    // A condition that is null counts as broken in some engines.
    std::string expression = field.nullable ? detail::sql_name(field.data_name) + " IS NULL OR " + *sql : *sql;
    found.push_back({detail::constraint_name(field, kind, found), std::move(expression)});
  };
  for (const field_description& field : contract.fields) {
    for (const constraint_description& each : field.constraints)
      add(field, name_of(each.kind), detail::sql_of(field, each));
    if (field.type != logical_type::enumeration) continue;
    std::vector<std::optional<std::string>> names;
    for (const std::string_view each : field.enumerators) names.push_back(detail::sql_text(each));
    add(field, "one_of", detail::sql_set(detail::sql_name(field.data_name), names));
  }
  return found;
}

}  // namespace etlantic::delta
