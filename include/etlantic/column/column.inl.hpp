#pragma once
#include <etlantic/column/column.hpp>

#include <limits>

namespace etlantic {

namespace detail {

/// Where something begins behind what a column holds already.
inline std::int32_t place_in_column(std::size_t used, std::size_t added) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (used > most || added > most - used) [[unlikely]]
    throw column_is_full();
  return static_cast<std::int32_t>(used);
}

}  // namespace detail

inline std::string_view column::text_at(std::size_t row) const {
  const text_view& view = data<text_view>()[row];
  const auto size = static_cast<std::size_t>(view.size);
  if (view.is_inline()) return {view.characters, size};
  const char* base = view.place.buffer == 0 ? borrowed : reinterpret_cast<const char*>(owned.data());
  return {base + view.place.offset, size};
}

inline void column::resize(std::size_t count) {
  const std::size_t bits = (count + 7) / 8;
  switch (field->type) {
    case logical_type::boolean: values.resize(bits); break;
    case logical_type::structure:
      for (column& child : children) child.resize(count);
      break;
    case logical_type::list: {
      const std::size_t before = offsets.size() / sizeof(std::int32_t);
      const std::int32_t end = before == 0 ? 0 : reinterpret_cast<std::int32_t*>(offsets.data())[before - 1];
      offsets.resize((count + 1) * sizeof(std::int32_t));
      for (std::size_t i = before; i <= count; ++i) reinterpret_cast<std::int32_t*>(offsets.data())[i] = end;
      if (count == 0 || count < rows)
        children[0].resize(static_cast<std::size_t>(reinterpret_cast<std::int32_t*>(offsets.data())[count]));
      break;
    }
    default: values.resize(count * value_width(*field)); break;
  }
  if (count == 0) {
    validity.clear();
    owned.clear();
  } else if (!validity.empty()) {
    const std::size_t before = rows;
    validity.resize(bits);
    for (std::size_t row = before; row < count; ++row) set_bit(validity, row, true);
  }
  rows = count;
}

inline void column::resize_for_overwrite(std::size_t count) {
  // What resize finds in its place already is not cleared. A bool is written by its bits, and a text by its view.
  if (field->type != logical_type::boolean && field->children.empty())
    values.resize_for_overwrite(count * value_width(*field));
  resize(count);
}

inline void column::set_null(std::size_t row) {
  if (validity.empty()) {
    validity.resize((rows + 7) / 8);
    std::memset(validity.data(), 0xff, validity.size());
  }
  set_bit(validity, row, false);
}

inline void column::set_text(std::size_t row, std::string_view text) {
  if (text.size() <= 12) {
    data<text_view>()[row] = text_view::of_inline(text);
    return;
  }
  const std::int32_t offset = detail::place_in_column(owned.size(), text.size());
  owned.append(text.data(), text.size());
  data<text_view>()[row] = text_view::of_place(text, 1, offset);
}

inline void column::borrow_text(std::size_t row, std::string_view text) {
  if (text.size() <= 12) {
    data<text_view>()[row] = text_view::of_inline(text);
    return;
  }
  const auto used = static_cast<std::size_t>(text.data() - borrowed);
  data<text_view>()[row] = text_view::of_place(text, 0, detail::place_in_column(used, text.size()));
}

inline void column::append(const column& source, std::size_t row) {
  const std::size_t at = rows;
  resize(at + 1);
  if (!source.is_valid(row)) {
    set_null(at);
    return;
  }
  switch (field->type) {
    case logical_type::boolean: set_bool(at, source.is_true(row)); break;
    case logical_type::text:
    case logical_type::binary: set_text(at, source.text_at(row)); break;
    case logical_type::structure:
      for (std::size_t i = 0; i < children.size(); ++i) {
        children[i].resize(at);
        children[i].append(source.children[i], row);
      }
      break;
    case logical_type::list:
      for (std::int32_t i = source.list_begin(row); i < source.list_end(row); ++i)
        children[0].append(source.children[0], static_cast<std::size_t>(i));
      reinterpret_cast<std::int32_t*>(offsets.data())[at + 1] = detail::place_in_column(children[0].rows, 0);
      break;
    default: {
      const std::size_t width = value_width(*field);
      std::memcpy(values.data() + at * width, source.values.data() + row * width, width);
    }
  }
}

inline void column::append_null() {
  resize(rows + 1);
  set_null(rows - 1);
}

}  // namespace etlantic
