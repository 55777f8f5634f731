#pragma once
#include <etlantic/column/block.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace etlantic {

// A column places long text and the elements of lists with 31 bits. What puts rows of many blocks together ends a block
// long before that: at so many bytes, and with one more row, of which a line of input can hold a gigabyte.

inline constexpr std::size_t variable_bytes_per_block = std::size_t{64} << 20;

/// Bytes that a row of a column holds besides its fixed width: of long text and of the elements of lists.
inline std::size_t variable_bytes(const column& of, std::size_t row) {
  std::size_t bytes = 0;
  switch (of.field->type) {
    case logical_type::text:
    case logical_type::binary: {
      const text_view& view = of.data<text_view>()[row];
      return view.is_inline() ? 0 : static_cast<std::size_t>(view.size);
    }
    case logical_type::structure:
      for (const column& child : of.children) bytes += variable_bytes(child, row);
      return bytes;
    case logical_type::list:
      for (std::int32_t i = of.list_begin(row); i < of.list_end(row); ++i)
        bytes += std::max<std::size_t>(1, value_width(*of.children[0].field)) +
                 variable_bytes(of.children[0], static_cast<std::size_t>(i));
      return bytes;
    default: return 0;
  }
}

/// The same for all rows that were put into a column.
inline std::size_t variable_bytes(const column& of) {
  std::size_t bytes = of.owned.size();
  for (const column& child : of.children) bytes += variable_bytes(child);
  return of.field->type == logical_type::list ? bytes + of.children[0].rows : bytes;
}

/// The columns of a contract whose rows have no fixed size, so that others need not be asked.
class variable_columns {
 public:
  explicit variable_columns(const schema& rows) {
    for (std::size_t i = 0; i < rows.fields.size(); ++i)
      if (is_variable(rows.fields[i])) columns_.push_back(i);
  }

  bool empty() const { return columns_.empty(); }
  std::size_t bytes(const block& rows, std::size_t row) const {
    std::size_t sum = 0;
    for (const std::size_t i : columns_) sum += variable_bytes(rows.columns[i], row);
    return sum;
  }
  /// Whether a column of a block holds so much that no row should be added.
  bool is_full(const block& rows, std::size_t most) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [&](std::size_t i) { return variable_bytes(rows.columns[i]) >= most; });
  }

 private:
  static bool is_variable(const field_description& field) {
    switch (field.type) {
      case logical_type::text:
      case logical_type::binary:
      case logical_type::list: return true;
      default: return std::any_of(field.children.begin(), field.children.end(), is_variable);
    }
  }

  std::vector<std::size_t> columns_;
};

}  // namespace etlantic
