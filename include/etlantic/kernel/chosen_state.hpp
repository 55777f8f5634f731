#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/aggregate_state.hpp>
#include <etlantic/kernel/chosen_values.hpp>
#include <etlantic/kernel/compare.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// States of aggregates that keep the value of one row. They know the row's place in source order, so that partial
// states can be merged in any order: panes follow each other in event time, not as their rows came.

namespace etlantic::kernel {

/// A value or null, owned.
template <class Value>
struct owned_value {
  std::conditional_t<std::is_same_v<Value, std::string_view>, std::string, Value> value{};
  bool present = false;

  void take(const row_values<Value>& from, std::size_t row) {
    present = from.is_present(row);
    if (present) value = decltype(value)(from.at(row));
  }
  template <class To>
  bool write(column& into, std::size_t row) const {
    if (!present) return into.set_null(row), true;
    return write_value<To>(into, row, value);
  }
  void save(state_writer& into) const {
    into.put(present);
    if constexpr (std::is_same_v<Value, std::string_view>)
      into.put_text(value);
    else
      into.put(value);
  }
  void restore(state_reader& from) {
    present = from.get<std::uint8_t>() != 0;  // any byte, since it may be damaged
    if constexpr (std::is_same_v<Value, std::string_view>)
      value = from.get_text();
    else if constexpr (std::is_same_v<Value, bool>)
      value = from.get<std::uint8_t>() != 0;
    else
      value = from.get<Value>();
  }
};

/// The first or last row in source order.
template <class Value, bool Last>
struct chosen_by_order {
  owned_value<Value> kept;
  std::uint64_t order = 0;
  bool any = false;

  void add(const chosen_rows<Value, void>& from, std::size_t row) {
    if (any && !Last) return;
    kept.take(from.values, row);
    order = from.order(row);
    any = true;
  }
  void merge(const chosen_by_order& other) {
    if (other.any && (!any || (Last ? other.order > order : other.order < order))) *this = other;
  }
  template <class To>
  bool write(column& into, std::size_t row) const {
    return kept.template write<To>(into, row);
  }
  void save(state_writer& into) const {
    kept.save(into);
    into.put(order);
    into.put(any);
  }
  void restore(state_reader& from) {
    kept.restore(from);
    order = from.get<std::uint64_t>();
    any = from.get<std::uint8_t>() != 0;
  }
};

/// The row where something is least (`Better` is less) or greatest, the last one of several.
template <class Value, class By, operation Better>
struct chosen_by_value {
  using stored_by = std::conditional_t<std::is_same_v<By, std::string_view>, std::string, By>;
  owned_value<Value> kept;
  owned_value<By> by;  // null: no row yet
  std::uint64_t order = 0;

  void add(const chosen_rows<Value, By>& from, std::size_t row) {
    if (!from.by.is_present(row)) return;
    if (by.present && compares<Better, By>(By(by.value), from.by.at(row))) return;
    kept.take(from.values, row);
    by.take(from.by, row);
    order = from.order(row);
  }
  void merge(const chosen_by_value& other) {
    if (other.by.present && (!by.present || yields_to(other))) *this = other;
  }
  template <class To>
  bool write(column& into, std::size_t row) const {
    return kept.template write<To>(into, row);
  }
  void save(state_writer& into) const {
    kept.save(into);
    by.save(into);
    into.put(order);
  }
  void restore(state_reader& from) {
    kept.restore(from);
    by.restore(from);
    order = from.get<std::uint64_t>();
  }

 private:
  bool yields_to(const chosen_by_value& other) const {
    if (compares<Better, By>(By(other.by.value), By(by.value))) return true;
    return !compares<Better, By>(By(by.value), By(other.by.value)) && other.order > order;
  }
};

template <aggregate_function Function, class Value, class By>
struct chosen_state {
  static constexpr operation better = Function == aggregate_function::min_by ? operation::less : operation::greater;
  using type = chosen_by_value<Value, By, better>;
};
template <aggregate_function Function, class Value>
struct chosen_state<Function, Value, void> {
  using type = chosen_by_order<Value, Function == aggregate_function::last>;
};

}  // namespace etlantic::kernel
