#pragma once
#include <etlantic/column/column.inl.hpp>
#include <etlantic/column/copy.hpp>

#include <cstring>

namespace etlantic {

namespace detail {

inline bool holds_rows_apart(const column& of) {
  return of.field->type == logical_type::structure || of.field->type == logical_type::list;
}

inline void append_validity(column& into, const column& from, std::size_t before) {
  if (from.validity.empty()) return;
  for (std::size_t row = 0; row < from.rows; ++row)
    if (!from.is_valid(row)) into.set_null(before + row);
}

}  // namespace detail

[[gnu::used]] inline void append_all(column& into, const column& from) {
  if (detail::holds_rows_apart(from)) {
    for (std::size_t row = 0; row < from.rows; ++row) into.append(from, row);
    return;
  }
  const std::size_t before = into.rows;
  into.resize(before + from.rows);
  detail::append_validity(into, from, before);
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

[[gnu::used]] inline block owned_copy(const block& of) {
  block made;
  made.contract = of.contract;
  made.rows = of.rows;
  made.split = of.split;
  made.positions = of.positions;
  made.columns.reserve(of.columns.size());
  for (const column& each : of.columns) append_all(made.columns.emplace_back(*each.field), each);
  return made;
}

}  // namespace etlantic
