#pragma once
#include <etlantic/column/copy.inl.hpp>
#include <etlantic/column/variable_size.hpp>
#include <etlantic/runtime/publication_buffer.hpp>

#include <algorithm>

namespace etlantic {

namespace detail {

inline constexpr std::size_t rows_per_published_block = 65'536;

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
  for (std::size_t i = 0; i < rows.columns.size(); ++i) append_all(last.columns[i], rows.columns[i]);
  if (!rows.origins.empty() || !last.origins.empty()) {
    last.origins.resize(last.rows);
    last.origins.insert(last.origins.end(), rows.origins.begin(), rows.origins.end());
    last.origins.resize(last.rows + rows.rows);
  }
  last.rows += rows.rows;
}

}  // namespace etlantic
