#pragma once
#include <etlantic/connect/delta/file_pruning.hpp>
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/schema_match.inl.hpp>
#include <etlantic/connect/delta/statistics.inl.hpp>

#include <algorithm>
#include <utility>

namespace etlantic::delta {

namespace detail {

/// A constant in the terms of a column; nothing if it has no such value.
inline std::optional<range_end> end_of(const row_condition& condition, const field_description& column) {
  const auto* exact = std::get_if<exact_number>(&condition.value);
  switch (column.type) {
    case logical_type::text: {
      const auto* text = std::get_if<std::string>(&condition.value);
      return text == nullptr ? std::nullopt : std::optional<range_end>(*text);
    }
    case logical_type::float64: {
      if (const auto* real = std::get_if<double>(&condition.value))
        return std::isnan(*real) ? std::nullopt : std::optional<range_end>(*real);
      constexpr std::int64_t most = std::int64_t{1} << 53;
      if (exact == nullptr || exact->scale != 0 || exact->units < -most || exact->units > most) return {};
      return static_cast<double>(exact->units);
    }
    case logical_type::int8:
    case logical_type::int16:
    case logical_type::int32:
    case logical_type::int64:
    case logical_type::decimal:
    case logical_type::date:
    case logical_type::timestamp: {
      if (exact == nullptr) return {};
      const int scale = column.type == logical_type::decimal ? column.scale : 0;
      int128 units = exact->units;
      for (int i = exact->scale; i < scale; ++i)
        if (__builtin_mul_overflow(units, int128{10}, &units)) return {};
      for (int i = scale; i < exact->scale; ++i) {
        if (units % 10 != 0) return {};
        units /= 10;
      }
      return units;
    }
    default: return {};
  }
}

/// Whether rows of a column may be no value of a field.
inline bool may_be_rejected(const field_description& field, const field_description& column, bool has_nulls) {
  if (!field.constraints.empty() || field.type == logical_type::enumeration) return true;
  if (!field.nullable && has_nulls) return true;
  if (stored_type(field.type) != field.type && field.type != logical_type::duration) return true;
  if (field.type == logical_type::list)
    return may_be_rejected(field.children[0], column.children[0], column.children[0].nullable);
  if (field.type != logical_type::structure) return false;
  return std::any_of(field.children.begin(), field.children.end(), [&](const field_description& each) {
    const field_description* there = find_column(column.children, each.data_name);
    return there == nullptr || may_be_rejected(each, *there, there->nullable);
  });
}

inline std::optional<column_facts> partition_facts(const add_file& file, const table_layout& layout,
                                                   const field_description& column) {
  for (std::size_t i = 0; i < layout.partition_indices.size(); ++i) {
    const field_description& each = layout.whole->described.fields[layout.partition_indices[i]];
    if (each.name != column.name) continue;
    const auto text = partition_value(file.partition, each, layout.partition_columns[i]);
    if (!text || text->empty()) return column_facts{.has_only_nulls = true};
    etlantic::column value(column);
    value.resize(1);
    if (!set_from_text(value, 0, *text)) return column_facts{.has_no_nulls = true};
    column_facts found{.has_no_nulls = true, .is_exact = true};
    if (auto end = value_at(value, 0)) found.range = value_range{*end, *end};
    return found;
  }
  return {};
}

}  // namespace detail

[[gnu::used]] inline bool may_keep(const row_condition& condition, const field_description& column,
                                   const column_facts& facts) {
  if (facts.has_only_nulls) return false;
  const auto value = detail::end_of(condition, column);
  if (!value || !facts.range || facts.range->least.index() != value->index()) return true;
  const range_end &least = facts.range->least, &greatest = facts.range->greatest;
  const bool is_real = column.type == logical_type::float64;  // NaN is greater than all, and bounds may pass over it
  switch (condition.op) {
    case comparison::equal: return !(*value < least) && !(greatest < *value);
    case comparison::not_equal: return is_real || !facts.is_exact || !(least == *value && greatest == *value);
    case comparison::less: return least < *value;
    case comparison::less_equal: return !(*value < least);
    case comparison::greater: return is_real || *value < greatest;
    case comparison::greater_equal: return is_real || !(greatest < *value);
  }
  return true;
}

[[gnu::used]] inline column_facts facts_of(const add_file& file, const json_document& statistics,
                                           const table_layout& layout, const field_description& column) {
  if (auto known = detail::partition_facts(file, layout, column)) return std::move(*known);
  column_facts found{.has_no_nulls = !column.nullable};
  const auto& value = statistics.value();
  if (!value) return found;
  const auto rows = integer_of(member_of(*value, "numRecords"));
  const auto nulls = integer_of(member_of(member_of(*value, "nullCount"), column.data_name));
  if (nulls && *nulls == 0) found.has_no_nulls = true;
  if (rows && nulls && *rows == *nulls) found.has_only_nulls = true;
  if (has_inexact_bounds(column)) return found;
  found.range = range_in_statistics(file.statistics, column);
  found.is_exact = column.type != logical_type::text && column.type != logical_type::timestamp;
  return found;
}

[[gnu::used]] inline bool file_pruning::leaves_out(const add_file& file, const table_layout& layout) const {
  if (conditions_.empty()) return false;
  const json_document statistics(file.statistics);
  const auto columns = layout.whole->described.fields;
  const auto cannot_keep = [&](const row_condition& each) {
    const field_description* column = detail::find_column(columns, each.field);
    return column != nullptr && !may_keep(each, *column, facts_of(file, statistics, layout, *column));
  };
  if (std::none_of(conditions_.begin(), conditions_.end(), cannot_keep)) return false;
  return std::none_of(contract_->fields.begin(), contract_->fields.end(), [&](const field_description& each) {
    const field_description* column = detail::find_column(columns, each.data_name);
    if (column == nullptr) return !each.nullable;
    return detail::may_be_rejected(each, *column, !facts_of(file, statistics, layout, *column).has_no_nulls);
  });
}

}  // namespace etlantic::delta
