#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/expression/user_aggregate.hpp>
#include <etlantic/kernel/aggregate_state.hpp>
#include <etlantic/kernel/bind.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

// Aggregates of the user: several arguments, and a state whose fields are saved one by one.

namespace etlantic::kernel {

template <class... Nodes>
struct bound_values {
  boost::hana::tuple<Nodes...> nodes;

  void evaluate(chunk& at) { evaluate_all(nodes, at); }
};
template <class... Nodes>
inline constexpr bool may_overflow<bound_values<Nodes...>> = (may_overflow<Nodes> || ...);

template <class Aggregate, class... E>
struct binder<values_for<Aggregate, E...>> {
  template <class Row>
  static auto bind(const values_for<Aggregate, E...>& of, const Row& row) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      static_cast<void>(of), static_cast<void>(row);
      using bound = bound_values<decltype(kernel::bind(boost::hana::at_c<I>(of.values), row))...>;
      return bound{{kernel::bind(boost::hana::at_c<I>(of.values), row)...}};
    }(std::index_sequence_for<E...>{});
  }
};

/// For the rows of a morsel.
template <class... Values>
struct argument_rows {
  boost::hana::tuple<row_values<Values>...> values;
};

template <class... Nodes>
class row_collector<bound_values<Nodes...>> {
 public:
  using node = bound_values<Nodes...>;

  void start(const node& of, const block& rows, std::size_t begin) {
    each([&](auto i) { boost::hana::at_c<i()>(collectors_).start(boost::hana::at_c<i()>(of.nodes), rows, begin); });
  }
  void fetch_ahead(std::size_t row) const {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (boost::hana::at_c<I>(collectors_).fetch_ahead(row), ...);
      static_cast<void>(row);
    }(indices{});
  }
  void collect(node& of, chunk& at, std::size_t index) {
    each([&](auto i) { boost::hana::at_c<i()>(collectors_).collect(boost::hana::at_c<i()>(of.nodes), at, index); });
  }
  argument_rows<typename Nodes::value...> values() const { return {values_of(collectors_)}; }

 private:
  using indices = std::index_sequence_for<Nodes...>;

  template <class Do>
  static void each(Do&& act) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      static_cast<void>(act);
      (act(std::integral_constant<std::size_t, I>{}), ...);
    }(indices{});
  }

  boost::hana::tuple<row_collector<Nodes>...> collectors_;
};

/// The value of a field, of what lies in its column.
template <class T, class Storage>
etlantic::detail::added_value<T> value_of_storage(Storage stored) {
  if constexpr (std::is_enum_v<T>)
    return enumerator_at<T>(static_cast<std::size_t>(stored));
  else if constexpr (etlantic::detail::is_decimal<T>::value)
    return T::from_scaled(stored);
  else if constexpr (std::is_same_v<T, timestamp> || std::is_same_v<T, date>)
    return T{stored};
  else if constexpr (std::is_same_v<T, duration>)
    return duration{stored};
  else if constexpr (std::is_same_v<T, binary>)
    return binary{std::string(stored)};
  else
    return stored;
}

template <class T>
bool write_field_value(column& into, std::size_t row, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    const std::size_t index = enumerator_index(value);
    if (index >= enumerator_names<T>.size()) return false;
    into.set(row, static_cast<typename field_traits<T>::storage>(index));
  } else if constexpr (std::is_same_v<T, timestamp>)
    into.set(row, value.microseconds);
  else if constexpr (std::is_same_v<T, date>)
    into.set(row, value.days);
  else if constexpr (std::is_same_v<T, duration>)
    into.set(row, static_cast<std::int64_t>(value.count()));
  else
    into.set_text(row, value.value);
  return true;
}

template <class T>
void save_state_field(const T& value, state_writer& into) {
  if constexpr (etlantic::detail::is_fixed_scalar<T>)
    into.put(value);
  else if constexpr (etlantic::detail::is_fixed_array<T>)
    for (const auto& each : value) save_state_field(each, into);
  else
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (save_state_field(member<I>(value), into), ...);
    }(std::make_index_sequence<member_count<T>>{});
}
template <class T>
void restore_state_field(T& value, state_reader& from) {
  if constexpr (etlantic::detail::is_fixed_scalar<T>)
    value = from.get<T>();
  else if constexpr (etlantic::detail::is_fixed_array<T>)
    for (auto& each : value) restore_state_field(each, from);
  else
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (restore_state_field(member<I>(value), from), ...);
    }(std::make_index_sequence<member_count<T>>{});
}

template <class Aggregate, class... Values>
struct user_state {
  Aggregate own{};

  template <class... Storages>
  void add(const argument_rows<Storages...>& from, std::size_t row) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      static_cast<void>(from), static_cast<void>(row);
      if (!(boost::hana::at_c<I>(from.values).is_present(row) && ...)) return;
      own.add(value_of_storage<Values>(boost::hana::at_c<I>(from.values).at(row))...);
    }(std::index_sequence_for<Values...>{});
  }
  void merge(const user_state& other) { own.merge(other.own); }
  template <class To>
  bool write(column& into, std::size_t row) const {
    const auto given = own.result();
    using result = etlantic::detail::unwrapped_result<std::remove_cvref_t<decltype(given)>>;
    if constexpr (result::nullable) {
      if (!given) return into.set_null(row), true;
      return write_result<To>(into, row, *given);
    } else
      return write_result<To>(into, row, given);
  }
  void save(state_writer& into) const { save_state_field(own, into); }
  void restore(state_reader& from) { restore_state_field(own, from); }

 private:
  template <class To, class T>
  static bool write_result(column& into, std::size_t row, const T& value) {
    if constexpr (std::is_arithmetic_v<T>)
      return write_value<To>(into, row, value);
    else if constexpr (etlantic::detail::is_decimal<T>::value)
      return write_exact<To>(into, row, value.scaled);
    else
      return write_field_value(into, row, value);
  }
};

}  // namespace etlantic::kernel
