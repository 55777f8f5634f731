#pragma once
#include <etlantic/column/gather.hpp>

#include <cstring>

namespace etlantic {

namespace detail {

template <std::size_t Width>
void gather_values(column& into, std::span<const row_place> places, std::size_t index) {
  std::size_t to = into.rows;
  into.resize_for_overwrite(to + places.size());
  std::byte* values = into.values.data() + to * Width;
  for (const row_place& from : places) {
    if (from.rows == nullptr) {
      std::memset(values, 0, Width);
      into.set_null(to);
    } else {
      const column& source = from.rows->columns[index];
      std::memcpy(values, source.values.data() + from.row * Width, Width);
      if (!source.is_valid(from.row)) into.set_null(to);
    }
    values += Width;
    ++to;
  }
}

template <std::size_t Width>
void gather_values(column& into, const column& from, std::span<const std::uint32_t> rows) {
  const std::size_t first = into.rows;
  into.resize_for_overwrite(first + rows.size());
  std::byte* values = into.values.data() + first * Width;
  const std::byte* const source = from.values.data();
  for (const std::uint32_t row : rows) {
    std::memcpy(values, source + row * Width, Width);
    values += Width;
  }
  if (from.validity.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!from.is_valid(rows[i])) into.set_null(first + i);
}

inline void gather_texts(column& into, std::span<const row_place> places, std::size_t index) {
  std::size_t to = into.rows;
  into.resize(to + places.size());
  for (const row_place& from : places) {
    if (from.rows == nullptr || !from.rows->columns[index].is_valid(from.row))
      into.set_null(to);
    else
      into.set_text(to, from.rows->columns[index].text_at(from.row));
    ++to;
  }
}

inline void gather_one_by_one(column& into, std::span<const row_place> places, std::size_t index) {
  for (const row_place& from : places) {
    if (from.rows == nullptr)
      into.append_null();
    else
      into.append(from.rows->columns[index], from.row);
  }
}

/// `set` writes a value that is there.
template <class Set>
void overwrite_each(column& into, std::span<const std::uint32_t> rows, std::span<const row_place> places,
                    std::size_t index, Set set) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const column& from = places[i].rows->columns[index];
    if (!from.is_valid(places[i].row)) {
      into.set_null(rows[i]);
      continue;
    }
    set(rows[i], from, places[i].row);
    if (!into.validity.empty()) column::set_bit(into.validity, rows[i], true);
  }
}

template <std::size_t Width>
void overwrite_values(column& into, std::span<const std::uint32_t> rows, std::span<const row_place> places,
                      std::size_t index) {
  std::byte* const values = into.values.data();
  overwrite_each(into, rows, places, index, [values](std::size_t row, const column& from, std::size_t from_row) {
    std::memcpy(values + row * Width, from.values.data() + from_row * Width, Width);
  });
}

}  // namespace detail

[[gnu::used]] inline void gather(column& into, std::span<const row_place> places, std::size_t index) {
  switch (into.field->type) {
    case logical_type::text:
    case logical_type::binary: return detail::gather_texts(into, places, index);
    case logical_type::boolean:
    case logical_type::structure:
    case logical_type::list: return detail::gather_one_by_one(into, places, index);
    default: break;
  }
  switch (value_width(*into.field)) {
    case 1: return detail::gather_values<1>(into, places, index);
    case 2: return detail::gather_values<2>(into, places, index);
    case 4: return detail::gather_values<4>(into, places, index);
    case 8: return detail::gather_values<8>(into, places, index);
    default: return detail::gather_values<16>(into, places, index);
  }
}

[[gnu::used]] inline void gather(column& into, const column& from, std::span<const std::uint32_t> rows) {
  switch (into.field->type) {
    case logical_type::boolean:
    case logical_type::structure:
    case logical_type::list:
    case logical_type::text:
    case logical_type::binary:
      for (const std::uint32_t row : rows) into.append(from, row);
      return;
    default: break;
  }
  switch (value_width(*into.field)) {
    case 1: return detail::gather_values<1>(into, from, rows);
    case 2: return detail::gather_values<2>(into, from, rows);
    case 4: return detail::gather_values<4>(into, from, rows);
    case 8: return detail::gather_values<8>(into, from, rows);
    default: return detail::gather_values<16>(into, from, rows);
  }
}

[[gnu::used]] inline void overwrite(column& into, std::span<const std::uint32_t> rows,
                                    std::span<const row_place> places, std::size_t index) {
  switch (into.field->type) {
    case logical_type::text:
    case logical_type::binary:
      return detail::overwrite_each(into, rows, places, index,
                                    [&](std::size_t row, const column& from, std::size_t from_row) {
                                      into.set_text(row, from.text_at(from_row));
                                    });
    case logical_type::boolean:
      return detail::overwrite_each(into, rows, places, index,
                                    [&](std::size_t row, const column& from, std::size_t from_row) {
                                      into.set_bool(row, from.is_true(from_row));
                                    });
    default: break;
  }
  switch (value_width(*into.field)) {
    case 1: return detail::overwrite_values<1>(into, rows, places, index);
    case 2: return detail::overwrite_values<2>(into, rows, places, index);
    case 4: return detail::overwrite_values<4>(into, rows, places, index);
    case 8: return detail::overwrite_values<8>(into, rows, places, index);
    default: return detail::overwrite_values<16>(into, rows, places, index);
  }
}

}  // namespace etlantic
