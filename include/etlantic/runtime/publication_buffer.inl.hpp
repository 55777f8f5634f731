#pragma once
#include <etlantic/column/variable_size.hpp>
#include <etlantic/runtime/publication_buffer.hpp>

#include <algorithm>

namespace etlantic {

namespace detail {

inline constexpr std::size_t rows_per_published_block = 65'536;

inline bool holds_rows_apart(const column& of) {
  return of.field->type == logical_type::structure || of.field->type == logical_type::list;
}

inline void append_validity(column& into, const column& from, std::size_t before) {
  if (from.validity.empty()) return;
  for (std::size_t row = 0; row < from.rows; ++row)
    if (!from.is_valid(row)) into.set_null(before + row);
}

/// Adds all rows of a column; like column::append for each of them, but by whole columns where the layout allows it.
inline void append_all(column& into, const column& from) {
  if (holds_rows_apart(from)) {
    for (std::size_t row = 0; row < from.rows; ++row) into.append(from, row);
    return;
  }
  const std::size_t before = into.rows;
  into.resize(before + from.rows);
  append_validity(into, from, before);
  switch (from.field->type) {
    case logical_type::boolean:
      for (std::size_t row = 0; row < from.rows; ++row) into.set_bool(before + row, from.is_true(row));
      break;
    case logical_type::text:
    case logical_type::binary:
      for (std::size_t row = 0; row < from.rows; ++row)
        if (from.is_valid(row)) into.set_text(before + row, from.text_at(row));
      break;
    default: {
      const std::size_t width = value_width(*from.field);
      if (from.rows != 0) std::memcpy(into.values.data() + before * width, from.values.data(), from.rows * width);
    }
  }
}

}  // namespace detail

[[gnu::used]] inline bool publication_buffer::has_room_for(const block& rows) const {
  if (blocks_.empty()) return false;
  const block& last = blocks_.back();
  if (last.contract != rows.contract || last.rows + rows.rows > detail::rows_per_published_block) return false;
  return std::all_of(last.columns.begin(), last.columns.end(),
                     [](const column& each) { return variable_bytes(each) < variable_bytes_per_block; });
}

[[gnu::used]] inline void publication_buffer::append(const block& rows) {
  if (rows.rows == 0) return;
  if (!has_room_for(rows)) {
    blocks_.emplace_back();
    blocks_.back().contract = rows.contract;
    for (const column& each : rows.columns) blocks_.back().columns.emplace_back(*each.field);
  }
  block& last = blocks_.back();
  for (std::size_t i = 0; i < rows.columns.size(); ++i) detail::append_all(last.columns[i], rows.columns[i]);
  last.rows += rows.rows;
}

}  // namespace etlantic
