#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/violation.hpp>
#include <etlantic/core/utf8.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

namespace detail {

// The value of a row in the unit of `constant_description::exact`; for text its length.
inline int128 exact_value(const column& values, std::size_t row) {
  switch (values.field->type) {
    case logical_type::boolean: return values.is_true(row) ? 1 : 0;
    case logical_type::int8: return values.value<std::int8_t>(row);
    case logical_type::int16: return values.value<std::int16_t>(row);
    case logical_type::int32:
    case logical_type::date: return values.value<std::int32_t>(row);
    case logical_type::int64:
    case logical_type::timestamp:
    case logical_type::duration: return values.value<std::int64_t>(row);
    case logical_type::uint8: return values.value<std::uint8_t>(row);
    case logical_type::uint16: return values.value<std::uint16_t>(row);
    case logical_type::uint32: return values.value<std::uint32_t>(row);
    case logical_type::uint64: return values.value<std::uint64_t>(row);
    case logical_type::decimal:
      return value_width(*values.field) == 8 ? values.value<std::int64_t>(row) : values.value<int128>(row);
    case logical_type::enumeration:
      return value_width(*values.field) == 1 ? values.value<std::uint8_t>(row) : values.value<std::uint16_t>(row);
    case logical_type::text: return static_cast<int128>(count_code_points(values.text_at(row)));
    case logical_type::binary: return static_cast<int128>(values.text_at(row).size());
    case logical_type::list: return values.list_end(row) - values.list_begin(row);
    case logical_type::float32:
    case logical_type::float64:
    case logical_type::structure: break;
  }
  return 0;
}

// In the order of `Value`; NaN satisfies no bound.
template <class Value>
bool is_within(constraint_kind kind, Value value, Value bound) {
  switch (kind) {
    case constraint_kind::gt: return value > bound;
    case constraint_kind::ge:
    case constraint_kind::min_length: return value >= bound;
    case constraint_kind::lt: return value < bound;
    case constraint_kind::le:
    case constraint_kind::max_length: return value <= bound;
    case constraint_kind::one_of: return value == bound;
  }
  return false;
}

inline bool satisfies(const constraint_description& rule, const column& values, std::size_t row) {
  const auto any = [&](auto&& matches) { return std::any_of(rule.values.begin(), rule.values.end(), matches); };
  const bool is_length = rule.kind == constraint_kind::min_length || rule.kind == constraint_kind::max_length;
  switch (values.field->type) {
    case logical_type::float32:
      return any([&](const constant_description& bound) {
        return is_within(rule.kind, static_cast<double>(values.value<float>(row)), bound.real);
      });
    case logical_type::float64:
      return any([&](const constant_description& bound) {
        return is_within(rule.kind, values.value<double>(row), bound.real);
      });
    case logical_type::text:
    case logical_type::binary:
      if (is_length) break;
      return any([&](const constant_description& bound) {
        return is_within(rule.kind, values.text_at(row), bound.characters);
      });
    case logical_type::enumeration: {
      const auto index = static_cast<std::size_t>(exact_value(values, row));
      return any([&](const constant_description& bound) {
        return bound.characters.empty() ? is_within(rule.kind, static_cast<int128>(index), bound.exact)
                                        : values.field->enumerators[index] == bound.characters;
      });
    }
    default: break;
  }
  const int128 value = exact_value(values, row);
  return any([&](const constant_description& bound) { return is_within(rule.kind, value, bound.exact); });
}

}  // namespace detail

/// What breaks the constraints of the field itself, if anything; fields inside it are not looked at. The value is
/// present.
inline std::optional<violation_reason> broken_constraint(const column& values, std::size_t row) {
  for (const constraint_description& rule : values.field->constraints)
    if (!detail::satisfies(rule, values, row))
      return rule.kind == constraint_kind::one_of ? violation_reason::not_in_set : violation_reason::constraint;
  return {};
}

namespace detail {

inline void check_value(const column& values, std::size_t row, std::string& path, std::vector<violation>& found) {
  if (!values.is_valid(row)) return;
  if (const auto reason = broken_constraint(values, row)) found.push_back({path, *reason});
  const std::size_t size = path.size();
  if (values.field->type == logical_type::structure) {
    for (const column& child : values.children) {
      path.append(".").append(child.field->name);
      check_value(child, row, path, found);
      path.resize(size);
    }
  } else if (values.field->type == logical_type::list) {
    for (std::int32_t i = values.list_begin(row); i < values.list_end(row); ++i) {
      path.append("[").append(std::to_string(i - values.list_begin(row))).append("]");
      check_value(values.children[0], static_cast<std::size_t>(i), path, found);
      path.resize(size);
    }
  }
}

}  // namespace detail

/// All constraints that a row breaks, in contract order. Types and required fields hold by construction.
inline std::vector<violation> check_row(const block& rows, std::size_t row) {
  std::vector<violation> found;
  std::string path;
  for (const column& each : rows.columns) {
    const bool has_others_inside =
        each.field->type == logical_type::structure || each.field->type == logical_type::list;
    // Most fields need no path: they have no constraint or keep it.
    if (has_others_inside) {
      path = each.field->name;
      detail::check_value(each, row, path, found);
    } else if (!each.field->constraints.empty() && each.is_valid(row)) {
      if (const auto reason = broken_constraint(each, row)) found.push_back({std::string(each.field->name), *reason});
    }
  }
  return found;
}

}  // namespace etlantic
