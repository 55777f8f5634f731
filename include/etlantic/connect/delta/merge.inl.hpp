#pragma once
#include <etlantic/connect/delta/key_table.hpp>
#include <etlantic/connect/delta/merge.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/statistics.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace etlantic::delta {

namespace detail {

template <class T>
void append_bytes(std::string& to, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value == 0) value = 0;                                        // the two zeros are equal
    if (value != value) value = std::numeric_limits<T>::quiet_NaN();  // and so are all NaN
  }
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}

/// The last row of each key, by the number of the key; the numbers go from the last row to the first.
struct last_rows {
  key_table keys;
  std::vector<row_place> rows;
  std::vector<bool> deletes;

  explicit last_rows(const merge_input& given) : keys(count(given.rows)) {
    std::string bytes;
    for (std::size_t b = given.rows.size(); b-- > 0;)
      for (std::size_t row = given.rows[b].rows; row-- > 0;) {
        bytes.clear();
        append_key(bytes, given.rows[b], row, given.key);
        if (!keys.insert(bytes).second) continue;
        rows.push_back({&given.rows[b], static_cast<std::uint32_t>(row)});
        deletes.push_back(!given.deletes.empty() && given.deletes[b][row]);
      }
  }

 private:
  static std::size_t count(std::span<const block> given) {
    std::size_t sum = 0;
    for (const block& each : given) sum += each.rows;
    return sum;
  }
};

/// Whether a file can have a row with a key of the batch, by its partition and its statistics.
class file_filter {
 public:
  file_filter(const table_layout& layout, std::span<const block> rows, std::span<const std::size_t> key)
      : layout_(layout) {
    for (const std::size_t column : key) {
      const auto place = std::find(layout.partition_indices.begin(), layout.partition_indices.end(), column);
      if (place == layout.partition_indices.end()) {
        ranges_.push_back({column, range_of(rows, column)});
        continue;
      }
      allowed& values = partitions_.emplace_back();
      values.name = layout.partition_columns[static_cast<std::size_t>(place - layout.partition_indices.begin())];
      for (const block& each : rows)
        for (std::size_t row = 0; row < each.rows; ++row)
          values.texts.insert(partition_text(each.columns[column], row));
    }
  }

  bool may_match(const add_file& file) const {
    for (const allowed& each : partitions_) {
      const auto value = file.partition.find(each.name);
      // Others may write a value differently (`1.50` for `1.5`), but not a text.
      if (value != file.partition.end() && is_text(each.name) && !each.texts.contains(value->second)) return false;
    }
    for (const auto& [column, range] : ranges_) {
      if (!range) continue;
      const auto in_file = range_in_statistics(file.statistics, layout_.whole->described.fields[column]);
      if (in_file && !in_file->overlaps(*range)) return false;
    }
    return true;
  }

 private:
  struct allowed {
    std::string name;
    std::set<std::optional<std::string>> texts;
  };

  bool is_text(const std::string& name) const {
    for (const field_description& each : layout_.whole->described.fields)
      if (is_same_column(each.name, name)) return each.type == logical_type::text || each.type == logical_type::date;
    return false;
  }

  const table_layout& layout_;
  std::vector<allowed> partitions_;
  std::vector<std::pair<std::size_t, std::optional<value_range>>> ranges_;
};

}  // namespace detail

[[gnu::used]] inline void append_key(std::string& to, const block& rows, std::size_t row,
                                     std::span<const std::size_t> columns) {
  for (const std::size_t index : columns) {
    const column& of = rows.columns[index];
    switch (of.field->type) {
      case logical_type::boolean: to += of.is_true(row) ? '\1' : '\0'; break;
      case logical_type::float32: detail::append_bytes(to, of.value<float>(row)); break;
      case logical_type::float64: detail::append_bytes(to, of.value<double>(row)); break;
      case logical_type::text:
      case logical_type::binary: {
        const std::string_view text = of.text_at(row);
        detail::append_bytes(to, text.size());
        to += text;
        break;
      }
      default:
        to.append(reinterpret_cast<const char*>(of.values.data()) + row * value_width(*of.field),
                  value_width(*of.field));
    }
  }
}

[[gnu::used]] inline result<merged_files> merge_rows(const folder_store& store, const table_layout& layout,
                                                     const table_state& table, const merge_input& input,
                                                     const file_settings& settings, std::vector<std::string>& written) {
  const detail::last_rows fresh(input);
  const std::vector<bool>& given = input.given;
  const bool keeps_columns = std::find(given.begin(), given.end(), false) != given.end();
  std::string bytes;

  merged_files merged;
  file_writer writer(store, layout, settings);
  const auto fail = [&](const failure& why) {
    for (const add_file& each : writer.files()) written.push_back(each.path);
    return why;
  };
  block replaced(layout.whole->described);  // old rows, where columns of theirs are kept
  std::vector<std::size_t> replaced_by(fresh.rows.size(), SIZE_MAX);
  const detail::file_filter filter(layout, input.rows, input.key);
  for (const auto& [identity, file] : table.files) {
    if (!filter.may_match(file)) continue;
    auto blocks = read_file_rows(store, layout, file);
    if (!blocks) return fail(blocks.error());
    std::vector<row_place> kept;
    bool has_match = false;
    for (const block& each : *blocks)
      for (std::size_t row = 0; row < each.rows; ++row) {
        bytes.clear();
        append_key(bytes, each, row, input.key);
        const auto found = fresh.keys.find(bytes);
        if (!found) {
          kept.push_back({&each, static_cast<std::uint32_t>(row)});
          continue;
        }
        has_match = true;
        if (!keeps_columns) continue;
        replaced_by[*found] = replaced.rows;
        replaced.append(each, row);
      }
    if (!has_match) continue;
    if (auto done = writer.append(kept); !done) return fail(done.error());
    merged.replaced.push_back(file);
  }

  std::vector<row_place> added(fresh.rows.rbegin(), fresh.rows.rend());  // in the order in which they came
  block completed;
  if (keeps_columns) {
    completed = block(layout.whole->described);
    std::vector<row_place> old;
    for (auto place = replaced_by.rbegin(); place != replaced_by.rend(); ++place)
      old.push_back(*place == SIZE_MAX ? row_place{} : row_place{&replaced, static_cast<std::uint32_t>(*place)});
    for (std::size_t i = 0; i < completed.columns.size(); ++i) gather(completed.columns[i], given[i] ? added : old, i);
    completed.rows = added.size();
    for (std::size_t i = 0; i < added.size(); ++i) added[i] = {&completed, static_cast<std::uint32_t>(i)};
  }
  std::vector<row_place> kept;
  for (std::size_t i = 0; i < added.size(); ++i)
    if (!fresh.deletes[added.size() - 1 - i]) kept.push_back(added[i]);
  if (auto done = writer.append(kept); !done) return fail(done.error());
  if (auto done = writer.finish(); !done) return fail(done.error());
  merged.added = std::move(writer.files());
  for (const add_file& each : merged.added) written.push_back(each.path);
  return merged;
}

}  // namespace etlantic::delta
