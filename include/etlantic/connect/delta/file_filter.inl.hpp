#pragma once
#include <etlantic/connect/delta/file_filter.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/whole_values.hpp>

#include <algorithm>
#include <variant>

namespace etlantic::delta {

namespace detail {

/// The different values of a column of whole numbers or times, sorted; nothing if they are many. A batch of windows has
/// a few times, and a late row among them must not make everything between look changed.
inline std::vector<std::int64_t> few_values(std::span<const block> rows, std::size_t index) {
  constexpr std::size_t most = 256;
  std::vector<std::int64_t> found;
  for (const block& each : rows) {
    const bool are_few = with_whole_values(each.columns[index], [&](const auto* values) {
      for (std::size_t row = 0; row < each.rows; ++row) {
        const std::int64_t value = values[row];
        if (!found.empty() && found.back() == value) continue;
        const auto place = std::lower_bound(found.begin(), found.end(), value);
        if (place != found.end() && *place == value) continue;
        if (found.size() == most) return false;
        found.insert(place, value);
      }
      return true;
    });
    if (!are_few) return {};
  }
  return found;
}

}  // namespace detail

[[gnu::used]] inline void file_filter::fill(std::span<const block> rows, std::span<const std::size_t> key) {
  for (const std::size_t column : key) {
    const auto place = std::find(layout_.partition_indices.begin(), layout_.partition_indices.end(), column);
    if (place == layout_.partition_indices.end()) {
      const field_description& field = layout_.whole->described.fields[column];
      if (has_inexact_bounds(field)) continue;
      keys_.push_back({&field, range_of(rows, column), {}});
      if (has_whole_values(field)) keys_.back().values = detail::few_values(rows, column);
      continue;
    }
    allowed& values = partitions_.emplace_back();
    values.name = layout_.partition_columns[static_cast<std::size_t>(place - layout_.partition_indices.begin())];
    for (const block& each : rows)
      for (std::size_t row = 0; row < each.rows; ++row) values.texts.insert(partition_text(each.columns[column], row));
  }
}

[[gnu::used]] inline bool file_filter::may_match(const add_file& file) const {
  for (const allowed& each : partitions_) {
    const auto value = file.partition.find(each.name);
    // Others may write a value differently (`1.50` for `1.5`), but not a text.
    if (value != file.partition.end() && is_text(each.name) && !each.texts.contains(value->second)) return false;
  }
  if (keys_.empty()) return true;
  const file_statistics statistics(file.statistics);
  for (const key_values& each : keys_) {
    if (!each.range) continue;
    const auto in_file = statistics.range(*each.field);
    if (!in_file) continue;
    if (!in_file->overlaps(*each.range)) return false;
    if (each.values.empty()) continue;
    const auto least = std::get<int128>(in_file->least), greatest = std::get<int128>(in_file->greatest);
    const auto first = std::lower_bound(each.values.begin(), each.values.end(), least);
    if (first == each.values.end() || *first > greatest) return false;
  }
  return true;
}

[[gnu::used]] inline bool file_filter::is_text(const std::string& name) const {
  for (const field_description& each : layout_.whole->described.fields)
    if (is_same_column(each.name, name)) return each.type == logical_type::text || each.type == logical_type::date;
  return false;
}

}  // namespace etlantic::delta
