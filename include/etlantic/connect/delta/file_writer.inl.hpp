#pragma once
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/statistics.hpp>
#include <etlantic/connect/delta/unique_id.hpp>
#include <etlantic/connect/parquet/parquet_file.hpp>

#include <algorithm>
#include <utility>

namespace etlantic::delta {

namespace detail {

/// Rows of a piece that is copied at once.
inline constexpr std::size_t rows_per_block = 1 << 16;

}  // namespace detail

[[gnu::used]] inline result<table_layout> layout_of(const table_metadata& table, const std::string& where) {
  auto whole = parse_schema(table, where);
  if (!whole) return whole.error();
  table_layout made{*whole, schema_without(*whole, table.partition_columns), table.partition_columns, {}};
  const auto fields = (*whole)->described.fields;
  for (const std::string& each : table.partition_columns) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const field_description& field) { return is_same_column(field.name, each); });
    if (found == fields.end())
      return damaged_log("the table is partitioned by `" + each + "`, which is no column", where);
    made.partition_indices.push_back(static_cast<std::size_t>(found - fields.begin()));
  }
  return made;
}

[[gnu::used]] inline result<file_writer::open_partition*> file_writer::partition_of(const row_place& row) {
  std::string key;
  partition_values values;
  for (std::size_t i = 0; i < layout_.partition_indices.size(); ++i) {
    auto text = partition_text(row.rows->columns[layout_.partition_indices[i]], row.row);
    if (!is_sayable(text))
      return failure{failure_class::sink_rejected, "PMSTREAM452",
                     "the partition column `" + layout_.partition_columns[i] +
                         "` holds an empty text, which a Delta log cannot tell from null",
                     store_.describe(), "use null for it, or do not partition by this column; nothing was written"};
    key += text ? std::to_string(text->size()) + ':' + *text : "-";
    values[layout_.partition_columns[i]] = std::move(text);
  }
  open_partition& found = partitions_[key];
  found.values = std::move(values);
  return &found;
}

[[gnu::used]] inline result<void> file_writer::append(std::span<const row_place> places) {
  if (layout_.partition_indices.empty()) return append(partitions_[""], places);
  std::map<open_partition*, std::vector<row_place>> by_partition;
  for (const row_place& each : places) {
    auto partition = partition_of(each);
    if (!partition) return partition.error();
    by_partition[*partition].push_back(each);
  }
  for (const auto& [partition, some] : by_partition)
    if (auto done = append(*partition, some); !done) return done;
  return {};
}

[[gnu::used]] inline result<void> file_writer::append(open_partition& to, std::span<const row_place> places) {
  const auto fields = layout_.whole->described.fields;
  while (!places.empty()) {
    const std::size_t count = std::min({places.size(), detail::rows_per_block, settings_.rows_per_file - to.count});
    block& rows = to.rows.emplace_back(layout_.in_files->described);
    std::size_t at = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (std::find(layout_.partition_indices.begin(), layout_.partition_indices.end(), i) !=
          layout_.partition_indices.end())
        continue;
      gather(rows.columns[at++], places.first(count), i);
    }
    rows.rows = count;
    to.count += count;
    places = places.subspan(count);
    if (to.count >= settings_.rows_per_file)
      if (auto done = write(to); !done) return done;
  }
  return {};
}

[[gnu::used]] inline result<void> file_writer::append(const block& from, std::span<const std::uint32_t> rows) {
  if (!layout_.partition_indices.empty()) {
    std::vector<row_place> places;
    for (const std::uint32_t row : rows) places.push_back({&from, row});
    return append(places);
  }
  open_partition& to = partitions_[""];
  while (!rows.empty()) {
    const std::size_t count = std::min({rows.size(), detail::rows_per_block, settings_.rows_per_file - to.count});
    block& copied = to.rows.emplace_back(layout_.in_files->described);
    for (std::size_t i = 0; i < copied.columns.size(); ++i)
      gather(copied.columns[i], from.columns[i], rows.first(count));
    copied.rows = count;
    to.count += count;
    rows = rows.subspan(count);
    if (to.count >= settings_.rows_per_file)
      if (auto done = write(to); !done) return done;
  }
  return {};
}

[[gnu::used]] inline result<void> file_writer::append(std::span<const block> blocks) {
  while (!blocks.empty()) {
    std::size_t fitting = 0, rows = 0;
    if (layout_.partition_indices.empty() && partitions_.empty())
      while (fitting < blocks.size() && blocks[fitting].rows <= settings_.rows_per_file - rows)
        rows += blocks[fitting++].rows;
    if (rows > 0) {
      if (auto done = begin_file({.elsewhere = blocks.first(fitting)}); !done) return done;
    } else {
      fitting = 1;
      std::vector<row_place> places;
      for (std::size_t row = 0; row < blocks[0].rows; ++row)
        places.push_back({&blocks[0], static_cast<std::uint32_t>(row)});
      if (auto done = append(places); !done) return done;
    }
    blocks = blocks.subspan(fitting);
  }
  return {};
}

[[gnu::used]] inline result<void> file_writer::write(open_partition& what) {
  what.count = 0;
  return begin_file({.values = what.values, .owned = std::exchange(what.rows, {})});
}

[[gnu::used]] inline result<void> file_writer::rewrite(std::vector<block> rows, std::string bytes,
                                                       std::vector<bool> unchanged) {
  return begin_file({.owned = std::move(rows), .before = std::move(bytes), .unchanged = std::move(unchanged)});
}

[[gnu::used]] inline result<void> file_writer::begin_file(file_content content) {
  while (writing_.is_full())
    if (auto done = take_file(); !done) return done;
  auto id = make_uuid();
  if (!id) return id.error();
  add_file& file = files_.emplace_back();
  file.path = "part-00000-" + *id + "-c000" + (settings_.codec == "none" ? "" : '.' + settings_.codec) + ".parquet";
  file.partition = content.values;
  writing_.begin([&store = store_, &layout = layout_, &settings = settings_, content = std::move(content),
                  made = file]() mutable -> result<add_file> {
    const std::span<const block> rows = content.rows();
    parquet::encoding how{.codec = settings.codec};
    if (!content.unchanged.empty()) how.before.emplace(content.before, content.unchanged);
    auto bytes = parquet::encode(layout.in_files->described, rows, how);
    if (!bytes) return bytes.error();
    made.size = static_cast<std::int64_t>(bytes->size());
    made.modified = milliseconds_now();
    made.statistics = statistics_of(layout.in_files->described, rows);
    if (auto done = store.create(made.path, *bytes); !done) return done.error();
    return std::move(made);
  });
  return {};
}

[[gnu::used]] inline result<void> file_writer::take_file() {
  auto file = writing_.take();
  add_file& place = files_[taken_++];
  if (!file) return file.error();
  place = std::move(*file);
  return {};
}

[[gnu::used]] inline std::vector<add_file>& file_writer::files() {
  while (!writing_.is_empty()) (void)take_file();
  return files_;
}

[[gnu::used]] inline result<void> file_writer::finish() {
  for (auto& [key, partition] : partitions_)
    if (partition.count > 0)
      if (auto done = write(partition); !done) return done;
  while (!writing_.is_empty())
    if (auto done = take_file(); !done) return done;
  if (files_.empty()) return {};
  return store_.sync("");
}

}  // namespace etlantic::delta
