#pragma once
#include <etlantic/column/buffer.hpp>
#include <etlantic/column/text_view.hpp>
#include <etlantic/contract/schema.hpp>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace etlantic {

/// Thrown where a column would hold more bytes of long text, or more elements of lists, than it can place: 2^31 - 1.
struct column_is_full final : std::length_error {
  column_is_full()
      : std::length_error("a column cannot hold more than 2147483647 bytes of text or elements of lists") {}
};

/// The values of one field for the rows of a block, in Arrow's memory layout:
///   fixed-width types  `values`: one value after the other (enumerations: index into the enumerators, 1 or 2 bytes)
///   bool               `values`: one bit a row, least significant first
///   text, binary       `values`: text_view; long text lies in buffer 0 (`borrowed`) or buffer 1 (`owned`)
///   struct             `children`: one column per field
///   list               `offsets`: int32, rows + 1 of them; `children[0]`: the elements
/// `validity` has one bit a row, 1 = present; empty means that every row is present. Columns of fields that are not
/// nullable never have one.
struct column {
  const field_description* field = nullptr;
  buffer values;
  buffer validity;
  buffer offsets;
  std::vector<column> children;
  const char* borrowed = nullptr;  // what text in buffer 0 points into; the block's giver keeps it alive
  buffer owned;
  std::size_t rows = 0;

  column() = default;
  explicit column(const field_description& described) : field(&described) {
    for (const field_description& child : described.children) children.emplace_back(child);
  }

  template <class T>
  T* data() {
    return reinterpret_cast<T*>(values.data());
  }
  template <class T>
  const T* data() const {
    return reinterpret_cast<const T*>(values.data());
  }
  template <class T>
  T value(std::size_t row) const {
    T read;
    std::memcpy(&read, values.data() + row * sizeof(T), sizeof(T));
    return read;
  }

  bool is_valid(std::size_t row) const { return validity.empty() || bit(validity, row); }
  bool is_true(std::size_t row) const { return bit(values, row); }
  std::string_view text_at(std::size_t row) const;
  std::int32_t list_begin(std::size_t row) const { return reinterpret_cast<const std::int32_t*>(offsets.data())[row]; }
  std::int32_t list_end(std::size_t row) const { return list_begin(row + 1); }

  /// Sets the number of rows; rows that are new are zero (and present until set_null says otherwise).
  void resize(std::size_t count);
  /// As `resize`, but values of fixed width that are new may be anything: for those who write all of them.
  void resize_for_overwrite(std::size_t count);
  void clear() { resize(0); }

  template <class T>
  void set(std::size_t row, T value) {
    std::memcpy(values.data() + row * sizeof(T), &value, sizeof(T));
  }
  void set_null(std::size_t row);
  void set_bool(std::size_t row, bool value) { set_bit(values, row, value); }
  /// Copies the text into the column; throws `column_is_full` where it has no place any more.
  void set_text(std::size_t row, std::string_view text);
  /// Points into `borrowed` where the text does not fit into its view; `text` must lie there.
  void borrow_text(std::size_t row, std::string_view text);

  /// Adds one row, a copy of `source`'s row. Both describe the same type.
  void append(const column& source, std::size_t row);
  /// Adds one null row.
  void append_null();

  static bool bit(const buffer& bits, std::size_t row) {
    return (static_cast<unsigned>(bits.data()[row / 8]) >> (row % 8)) & 1u;
  }
  static void set_bit(buffer& bits, std::size_t row, bool value) {
    auto& byte = bits.data()[row / 8];
    const auto mask = static_cast<std::byte>(1u << (row % 8));
    byte = value ? byte | mask : byte & ~mask;
  }
};

}  // namespace etlantic

#include <etlantic/column/column.inl.hpp>
