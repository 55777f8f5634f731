#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/connect/json/short_literal.hpp>

#include <bit>
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
  const std::size_t width = value_width(*values.field);
  std::size_t to = first;
  std::uint64_t rest = kept & low_bits(count);
  while (rest != 0) {
    // Rows come in long runs, because few are missing.
    const auto begin = static_cast<std::size_t>(std::countr_zero(rest));
    const auto size = static_cast<std::size_t>(std::countr_one(rest >> begin));
    const std::size_t from = first + begin;
    if (from != to) {
      if (width != 0)
        std::memmove(values.values.data() + to * width, values.values.data() + from * width, size * width);
      else
        for (std::size_t i = 0; i < size; ++i) values.set_bool(to + i, values.is_true(from + i));
      if (!values.validity.empty())
        for (std::size_t i = 0; i < size; ++i)
          column::set_bit(values.validity, to + i, column::bit(values.validity, from + i));
    }
    to += size;
    rest &= ~(low_bits(size) << begin);
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
