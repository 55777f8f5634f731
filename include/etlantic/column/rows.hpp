#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/contract/contract.hpp>
#include <etlantic/contract/record.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
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

template <class C>
inline constexpr bool is_record = false;
template <class Value, class Details>
inline constexpr bool is_record<record<Value, Details>> = true;
template <class Value, class Details>
void append_record(std::span<column> into, const record<Value, Details>& row);
template <class Value, class Details>
void read_record(std::span<const column> from, std::size_t row, record<Value, Details>& into);

template <class C>
void append_members(std::span<column> into, const C& row) {
  if constexpr (is_record<C>)
    append_record(into, row);
  else
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (append_value(into[I], member<I>(row)), ...);
    }(std::make_index_sequence<member_count<C>>{});
}
template <class C>
void read_members(std::span<const column> from, std::size_t row, C& into) {
  if constexpr (is_record<C>)
    read_record(from, row, into);
  else
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((member<I>(into) = read_value<member_type<C, I>>(from[I], row)), ...);
    }(std::make_index_sequence<member_count<C>>{});
}

template <class Value, class Details>
void append_record(std::span<column> into, const record<Value, Details>& row) {
  using contract = typename record_value<Value>::contract;
  const std::span<column> of_value = into.first(member_count<contract>);
  if constexpr (!record_value<Value>::may_be_absent)
    append_members(of_value, row.value);
  else if (row.value)
    append_members(of_value, *row.value);
  else
    for (column& each : of_value) each.append_null();
  append_members(into.subspan(member_count<contract>), row.details);
}
/// A value whose fields are all null is absent, if it may be.
template <class Value, class Details>
void read_record(std::span<const column> from, std::size_t row, record<Value, Details>& into) {
  using contract = typename record_value<Value>::contract;
  const std::span<const column> of_value = from.first(member_count<contract>);
  if constexpr (!record_value<Value>::may_be_absent)
    read_members(of_value, row, into.value);
  else if (std::any_of(of_value.begin(), of_value.end(), [&](const column& each) { return each.is_valid(row); }))
    read_members(of_value, row, into.value.emplace());
  read_members(from.subspan(member_count<contract>), row, into.details);
}

template <class T>
struct field_values {
  using traits = field_traits<T>;

  static void append(column& into, const T& value) {
    const std::size_t row = into.rows;
    if constexpr (traits::logical == logical_type::structure) {
      append_members<T>(into.children, value);
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
      return [&] {
        T made{};
        read_members<T>(from.children, row, made);
        return made;
      }();
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
  detail::append_members<C>(into.columns, row);
  ++into.rows;
}

/// The row of a block as a struct. O(fields); copies text.
template <class C>
C row_at(const block& from, std::size_t row) {
  C made{};
  detail::read_members<C>(from.columns, row, made);
  return made;
}

}  // namespace etlantic
