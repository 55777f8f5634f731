#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/delta/file_reader.hpp>
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/source_file.hpp>
#include <etlantic/connect/delta/source_files.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <optional>
#include <vector>

// The rows of a file of a source, and how many there are.

namespace etlantic::delta {

inline const table_layout& layout_for(const source_layouts& layouts, const source_file& of) {
  return of.part == file_part::changes ? *layouts.changes : layouts.table;
}

inline result<std::vector<block>> rows_of_file(const folder_store& store, const source_layouts& layouts,
                                               const source_file& of) {
  const table_layout& layout = layout_for(layouts, of);
  if (of.part == file_part::deleted_rows) return read_deleted_rows(store, layout, of.file, of.deleted_before);
  return read_file_rows(store, layout, of.file);
}

/// As the statistics have it.
inline std::optional<std::int64_t> told_rows_of(const source_file& of) {
  if (of.part == file_part::deleted_rows) return {};
  const json_document statistics(of.file.statistics);
  if (const auto& value = statistics.value())
    if (const auto rows = integer_of(member_of(*value, "numRecords")))
      return *rows - (of.file.deleted ? of.file.deleted->rows : 0);
  return {};
}

inline result<std::int64_t> count_rows(const folder_store& store, const source_layouts& layouts,
                                       const source_file& of) {
  if (const auto told = told_rows_of(of)) return *told;
  auto blocks = rows_of_file(store, layouts, of);
  if (!blocks) return blocks.error();
  std::int64_t rows = 0;
  for (const block& each : *blocks) rows += static_cast<std::int64_t>(each.rows);
  return rows;
}

}  // namespace etlantic::delta
