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

/// `mask` gives the rows that are left out by the number of rows that there are.
template <class Mask>
result<void> leave_out_rows(std::vector<block>& rows, Mask mask) {
  std::size_t count = 0;
  for (const block& each : rows) count += each.rows;
  result<std::vector<bool>> deleted = mask(static_cast<std::int64_t>(count));
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

template <class Mask>
result<std::vector<block>> read_some_rows(const folder_store& store, const table_layout& layout, const add_file& file,
                                          Mask mask, std::string* kept = nullptr) {
  const std::string path = decoded_path(file.path), where = store.describe() + '/' + path;
  auto bytes = store.read(path);
  if (!bytes) return bytes.error();
  auto in_file = parquet::decode(*bytes, layout.in_files->described, where, layout.in_files->files_by_id);
  if (!in_file) return in_file.error();
  if (file.deleted)
    if (auto done = leave_out_rows(*in_file, [&](std::int64_t rows) { return mask(rows, where); }); !done)
      return done.error();
  std::vector<block> found;
  for (block& each : *in_file) {
    auto whole = with_partition(std::move(each), layout, file, where);
    if (!whole) return whole.error();
    found.push_back(std::move(*whole));
  }
  if (kept != nullptr) *kept = std::move(*bytes);
  return found;
}

}  // namespace detail

[[gnu::used]] inline result<std::vector<block>> read_file_rows(const folder_store& store, const table_layout& layout,
                                                               const add_file& file, std::string* bytes) {
  const auto mask = [&](std::int64_t rows, const std::string& where) {
    return deleted_rows(store, *file.deleted, rows, where);
  };
  return detail::read_some_rows(store, layout, file, mask, bytes);
}

[[gnu::used]] inline result<std::vector<block>> read_deleted_rows(const folder_store& store, const table_layout& layout,
                                                                  const add_file& file,
                                                                  const std::optional<deletion_vector>& except) {
  const auto mask = [&](std::int64_t rows, const std::string& where) -> result<std::vector<bool>> {
    auto deleted = deleted_rows(store, *file.deleted, rows, where);
    if (!deleted) return deleted;
    auto before = except ? deleted_rows(store, *except, rows, where)
                         : result<std::vector<bool>>(std::vector<bool>(static_cast<std::size_t>(rows)));
    if (!before) return before;
    for (std::size_t row = 0; row < deleted->size(); ++row) (*deleted)[row] = !(*deleted)[row] || (*before)[row];
    return deleted;
  };
  return detail::read_some_rows(store, layout, file, mask);
}

}  // namespace etlantic::delta
