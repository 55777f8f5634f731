#pragma once
#include <etlantic/column/block_io.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace etlantic {

namespace detail {

inline void save_bits(const buffer& bits, std::size_t rows, state_writer& into) {
  for (std::size_t i = 0; i < (rows + 7) / 8; ++i) into.put(bits.data()[i]);
}

/// Room for so many rows of a bit each is only made once so many bytes are there.
inline bool restore_bits(state_reader& from, std::size_t rows, buffer& bits) {
  const std::size_t size = (rows + 7) / 8;
  if (from.rest() < size) return false;
  bits.resize(size);
  for (std::size_t i = 0; i < size; ++i) bits.data()[i] = from.get<std::byte>();
  return from.ok();
}

inline void save_column(const column& of, state_writer& into) {
  into.put(static_cast<std::uint8_t>(!of.validity.empty()));
  if (!of.validity.empty()) save_bits(of.validity, of.rows, into);
  switch (of.field->type) {
    case logical_type::boolean: save_bits(of.values, of.rows, into); break;
    case logical_type::text:
    case logical_type::binary:
      for (std::size_t row = 0; row < of.rows; ++row) into.put_text(of.is_valid(row) ? of.text_at(row) : "");
      break;
    case logical_type::structure:
      for (const column& child : of.children) save_column(child, into);
      break;
    case logical_type::list:
      for (std::size_t row = 0; row < of.rows; ++row)
        into.put(static_cast<std::uint32_t>(of.list_end(row) - of.list_begin(row)));
      save_column(of.children[0], into);
      break;
    default: {
      const std::size_t width = value_width(*of.field);
      into.put_text({reinterpret_cast<const char*>(of.values.data()), of.rows * width});
    }
  }
}

inline bool restore_column(state_reader& from, std::size_t rows, column& into);

inline bool restore_texts(state_reader& from, std::size_t rows, column& into) {
  if (from.rest() / sizeof(std::uint64_t) < rows) return false;
  into.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string_view text = from.get_text();
    if (!from.ok() || text.size() > std::numeric_limits<std::int32_t>::max() - into.owned.size()) return false;
    into.set_text(row, text);
  }
  return true;
}

inline bool restore_lists(state_reader& from, std::size_t rows, column& into) {
  if (from.rest() / sizeof(std::uint32_t) < rows) return false;
  into.resize(rows);
  auto* offsets = reinterpret_cast<std::int32_t*>(into.offsets.data());
  std::uint64_t end = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    end += from.get<std::uint32_t>();
    if (end > std::numeric_limits<std::int32_t>::max()) return false;
    offsets[row + 1] = static_cast<std::int32_t>(end);
  }
  return restore_column(from, static_cast<std::size_t>(end), into.children[0]);
}

inline bool restore_values(state_reader& from, std::size_t rows, column& into) {
  const std::size_t width = value_width(*into.field);
  const std::string_view values = from.get_text();
  if (!from.ok() || values.size() / width != rows || values.size() % width != 0) return false;
  into.resize(rows);
  if (rows != 0) std::memcpy(into.values.data(), values.data(), values.size());
  if (into.field->type != logical_type::enumeration) return true;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t place = width == 1 ? into.value<std::uint8_t>(row) : into.value<std::uint16_t>(row);
    if (place >= into.field->enumerators.size()) return false;
  }
  return true;
}

inline bool restore_structure(state_reader& from, std::size_t rows, column& into) {
  for (column& child : into.children)
    if (!restore_column(from, rows, child)) return false;
  into.rows = rows;
  return true;
}

inline bool restore_column(state_reader& from, std::size_t rows, column& into) {
  const auto has_nulls = from.get<std::uint8_t>();
  buffer validity;
  if (has_nulls > (into.field->nullable ? 1 : 0) || (has_nulls == 1 && !restore_bits(from, rows, validity)))
    return false;
  into.clear();
  bool restored = false;
  switch (into.field->type) {
    case logical_type::boolean:
      restored = restore_bits(from, rows, into.values);
      into.rows = rows;
      break;
    case logical_type::text:
    case logical_type::binary: restored = restore_texts(from, rows, into); break;
    case logical_type::structure: restored = restore_structure(from, rows, into); break;
    case logical_type::list: restored = restore_lists(from, rows, into); break;
    default: restored = restore_values(from, rows, into);
  }
  into.validity = std::move(validity);
  return restored && from.ok();
}

}  // namespace detail

[[gnu::used]] inline void save_block(const block& rows, state_writer& into) {
  into.put(static_cast<std::uint64_t>(rows.rows));
  for (const column& each : rows.columns) detail::save_column(each, into);
}

[[gnu::used]] inline bool restore_block(state_reader& from, block& rows) {
  rows.clear();
  const auto count = from.get<std::uint64_t>();
  // A contract without fields has no bytes a row, and none has so many rows.
  if (!from.ok() || count > from.rest() * 8) return false;
  for (column& each : rows.columns)
    if (!detail::restore_column(from, static_cast<std::size_t>(count), each)) return false;
  rows.rows = static_cast<std::size_t>(count);
  return true;
}

}  // namespace etlantic
