#pragma once
#include <etlantic/column/column.hpp>

#include <cstdint>
#include <cstring>

/// The decoder writes into columns that have their full size from the start: row by row, and over the traces of a row
/// that turned out to be wrong.
namespace etlantic::detail {

inline std::int32_t* offsets_of(column& values) { return reinterpret_cast<std::int32_t*>(values.offsets.data()); }

inline void mark_present(column& values, std::size_t row) {
  if (!values.validity.empty()) column::set_bit(values.validity, row, true);
}

/// Makes room for `rows` rows, all of them present, with any values.
inline void open_rows(column& values, std::size_t rows) {
  values.clear();
  if (const std::size_t width = value_width(*values.field); width != 0) {
    values.values.resize_for_overwrite(rows * width);
    values.rows = rows;
  } else {
    values.resize(rows);
  }
}

/// Zero, false, empty text, empty list.
inline void write_zero(column& values, std::size_t row) {
  switch (values.field->type) {
    case logical_type::boolean: values.set_bool(row, false); break;
    case logical_type::structure:
      for (column& child : values.children) {
        mark_present(child, row);
        write_zero(child, row);
      }
      break;
    case logical_type::list: offsets_of(values)[row + 1] = offsets_of(values)[row]; break;
    default: {
      const std::size_t width = value_width(*values.field);
      std::memset(values.values.data() + row * width, 0, width);
    }
  }
}

inline void write_null(column& values, std::size_t row) {
  write_zero(values, row);
  values.set_null(row);
}

/// Moves the rows that `kept` names, of `count` from `first` on, together; neither a struct nor a list.
inline void keep_rows(column& values, std::size_t first, std::size_t count, std::uint64_t kept) {
  std::size_t to = first;
  const std::size_t width = value_width(*values.field);
  for (std::size_t i = 0; i < count; ++i) {
    if ((kept >> i & 1) == 0) continue;
    const std::size_t from = first + i;
    if (from != to) {
      if (width == 0)
        values.set_bool(to, values.is_true(from));
      else
        std::memcpy(values.values.data() + to * width, values.values.data() + from * width, width);
      if (!values.validity.empty()) column::set_bit(values.validity, to, column::bit(values.validity, from));
    }
    ++to;
  }
}

/// Takes back what rows from `row` on have put into lists.
inline void forget_from(column& values, std::size_t row) {
  if (values.field->type == logical_type::structure) {
    for (column& child : values.children) forget_from(child, row);
  } else if (values.field->type == logical_type::list) {
    const auto elements = static_cast<std::size_t>(offsets_of(values)[row]);
    forget_from(values.children[0], elements);
    values.children[0].resize(elements);
  }
}

}  // namespace etlantic::detail
