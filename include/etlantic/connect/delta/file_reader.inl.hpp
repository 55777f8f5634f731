#pragma once
#include <etlantic/column/gather.hpp>
#include <etlantic/connect/delta/deletion_vector.hpp>
#include <etlantic/connect/delta/file_reader.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/parquet/parquet_file.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace etlantic::delta {

namespace detail {

/// Rows `first` and on of a file without those that are deleted.
inline void leave_out(block& rows, const std::vector<bool>& deleted, std::size_t first) {
  std::vector<row_place> kept;
  for (std::size_t row = 0; row < rows.rows; ++row)
    if (!deleted[first + row]) kept.push_back({&rows, static_cast<std::uint32_t>(row)});
  if (kept.size() == rows.rows) return;
  block made(*rows.contract);
  for (std::size_t i = 0; i < made.columns.size(); ++i) gather(made.columns[i], kept, i);
  made.rows = kept.size();
  rows = std::move(made);
}

inline result<void> leave_out_deleted(const folder_store& store, const deletion_vector& vector,
                                      std::vector<block>& rows, const std::string& where) {
  std::size_t count = 0;
  for (const block& each : rows) count += each.rows;
  auto deleted = deleted_rows(store, vector, static_cast<std::int64_t>(count), where);
  if (!deleted) return deleted.error();
  std::size_t first = 0;
  for (block& each : rows) {
    const std::size_t before = each.rows;
    leave_out(each, *deleted, first);
    first += before;
  }
  return {};
}

/// The columns of a file and those that the log has one value of.
inline result<block> with_partition(block&& in_file, const table_layout& layout, const add_file& file,
                                    const std::string& where) {
  block whole;
  whole.contract = &layout.whole->described;
  whole.rows = in_file.rows;
  std::size_t at = 0;
  for (std::size_t i = 0; i < layout.whole->described.fields.size(); ++i) {
    const field_description& field = layout.whole->described.fields[i];
    const auto place = std::find(layout.partition_indices.begin(), layout.partition_indices.end(), i);
    if (place == layout.partition_indices.end()) {
      whole.columns.push_back(std::move(in_file.columns[at++]));
      whole.columns.back().field = &field;
      continue;
    }
    column& filled = whole.columns.emplace_back(field);
    filled.resize(whole.rows);
    const auto value =
        partition_value(file.partition, field,
                        layout.partition_columns[static_cast<std::size_t>(place - layout.partition_indices.begin())]);
    if (auto done = fill_partition(filled, value, where); !done) return done.error();
  }
  return whole;
}

}  // namespace detail

[[gnu::used]] inline result<std::vector<block>> read_file_rows(const folder_store& store, const table_layout& layout,
                                                               const add_file& file) {
  const std::string path = decoded_path(file.path), where = store.describe() + '/' + path;
  auto bytes = store.read(path);
  if (!bytes) return bytes.error();
  auto in_file = parquet::decode(*bytes, layout.in_files->described, where);
  if (!in_file) return in_file.error();
  if (file.deleted)
    if (auto done = detail::leave_out_deleted(store, *file.deleted, *in_file, where); !done) return done.error();
  std::vector<block> found;
  for (block& each : *in_file) {
    auto whole = detail::with_partition(std::move(each), layout, file, where);
    if (!whole) return whole.error();
    found.push_back(std::move(*whole));
  }
  return found;
}

}  // namespace etlantic::delta
