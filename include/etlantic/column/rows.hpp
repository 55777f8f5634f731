#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/contract/contract.hpp>

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

// Between rows as structs and rows as columns, for memory sources and sinks.

namespace etlantic {

namespace detail {

template <class T>
struct field_values;

/// Appends one value to a column.
template <class T>
void append_value(column& into, const T& value) {
  field_values<T>::append(into, value);
}
template <class T>
T read_value(const column& from, std::size_t row) {
  return field_values<T>::read(from, row);
}

template <class C, std::size_t... I>
void append_members(std::vector<column>& into, const C& row, std::index_sequence<I...>) {
  (append_value(into[I], member<I>(row)), ...);
}
template <class C, std::size_t... I>
C read_members(const std::vector<column>& from, std::size_t row, std::index_sequence<I...>) {
  C made{};
  ((member<I>(made) = read_value<member_type<C, I>>(from[I], row)), ...);
  return made;
}

template <class T>
struct field_values {
  using traits = field_traits<T>;

  static void append(column& into, const T& value) {
    const std::size_t row = into.rows;
    if constexpr (traits::logical == logical_type::structure) {
      append_members(into.children, value, std::make_index_sequence<member_count<T>>{});
      into.rows = row + 1;
      if (!into.validity.empty()) {
        into.validity.resize(row / 8 + 1);
        column::set_bit(into.validity, row, true);
      }
      return;
    }
    into.resize(row + 1);
    if constexpr (std::is_same_v<T, bool>)
      into.set_bool(row, value);
    else if constexpr (std::is_same_v<T, text> || std::is_same_v<T, binary>)
      into.set_text(row, value.value);
    else if constexpr (std::is_same_v<T, timestamp>)
      into.set(row, value.microseconds);
    else if constexpr (std::is_same_v<T, date>)
      into.set(row, value.days);
    else if constexpr (std::is_same_v<T, duration>)
      into.set(row, static_cast<std::int64_t>(value.count()));
    else if constexpr (std::is_enum_v<T>)
      into.set(row, static_cast<typename traits::storage>(enumerator_index(value)));
    else if constexpr (is_decimal<T>::value)
      into.set(row, value.scaled);
    else if constexpr (traits::logical != logical_type::structure)
      into.set(row, value);
  }

  static T read(const column& from, std::size_t row) {
    if constexpr (traits::logical == logical_type::structure)
      return read_members<T>(from.children, row, std::make_index_sequence<member_count<T>>{});
    else if constexpr (std::is_same_v<T, bool>)
      return from.is_true(row);
    else if constexpr (std::is_same_v<T, text>)
      return text(from.text_at(row));
    else if constexpr (std::is_same_v<T, binary>)
      return binary{std::string(from.text_at(row))};
    else if constexpr (std::is_same_v<T, timestamp>)
      return timestamp{from.value<std::int64_t>(row)};
    else if constexpr (std::is_same_v<T, date>)
      return date{from.value<std::int32_t>(row)};
    else if constexpr (std::is_same_v<T, duration>)
      return duration{from.value<std::int64_t>(row)};
    else if constexpr (std::is_enum_v<T>)
      return enumerator_at<T>(static_cast<std::size_t>(from.value<typename traits::storage>(row)));
    else if constexpr (is_decimal<T>::value)
      return T::from_scaled(from.value<typename T::representation>(row));
    else
      return from.value<T>(row);
  }
};

template <class T>
struct field_values<std::optional<T>> {
  static void append(column& into, const std::optional<T>& value) {
    if (value)
      append_value(into, *value);
    else
      into.append_null();
  }
  static std::optional<T> read(const column& from, std::size_t row) {
    if (!from.is_valid(row)) return std::nullopt;
    return read_value<T>(from, row);
  }
};

// Wrappers around one value.
template <class Wrapper, class T>
struct wrapped_values {
  static void append(column& into, const Wrapper& wrapper) { append_value(into, wrapper.value); }
  static Wrapper read(const column& from, std::size_t row) { return Wrapper(read_value<T>(from, row)); }
};
template <class T, class... Attributes>
struct field_values<checked<T, Attributes...>> : wrapped_values<checked<T, Attributes...>, T> {};
template <class Decimal>
struct field_values<rounded<Decimal>> : wrapped_values<rounded<Decimal>, Decimal> {};
template <class Unit>
struct field_values<epoch<Unit>> : wrapped_values<epoch<Unit>, timestamp> {};
template <fixed_string Zone>
struct field_values<local_time<Zone>> : wrapped_values<local_time<Zone>, timestamp> {};

template <class T>
struct field_values<std::vector<T>> {
  static void append(column& into, const std::vector<T>& values) {
    const std::size_t row = into.rows;
    into.resize(row + 1);
    for (const T& each : values) append_value(into.children[0], each);
    reinterpret_cast<std::int32_t*>(into.offsets.data())[row + 1] = detail::place_in_column(into.children[0].rows, 0);
  }
  static std::vector<T> read(const column& from, std::size_t row) {
    std::vector<T> made;
    for (std::int32_t i = from.list_begin(row); i < from.list_end(row); ++i)
      made.push_back(read_value<T>(from.children[0], static_cast<std::size_t>(i)));
    return made;
  }
};

}  // namespace detail

/// Adds a row to a block of its contract.
template <class C>
void append_row(block& into, const C& row) {
  detail::append_members(into.columns, row, std::make_index_sequence<member_count<C>>{});
  ++into.rows;
}

/// The row of a block as a struct. O(fields); copies text.
template <class C>
C row_at(const block& from, std::size_t row) {
  return detail::read_members<C>(from.columns, row, std::make_index_sequence<member_count<C>>{});
}

}  // namespace etlantic
