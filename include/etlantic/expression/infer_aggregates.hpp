#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/expression/aggregate.hpp>
#include <etlantic/expression/infer_operators.hpp>
#include <etlantic/expression/rules.hpp>
#include <etlantic/expression/typed.hpp>

#include <cstdint>
#include <type_traits>

namespace etlantic::detail {

template <aggregate_function Function, class T>
constexpr auto aggregate_result() {
  using enum aggregate_function;
  using unsuitable =
      fail<rule::aggregate_must_suit_its_type, called<fixed<[] { return name_of(Function); }>()>, type<T>>;
  constexpr logical_type logical = field_traits<T>::logical;
  if constexpr (Function == count || Function == count_rows)
    return typed<std::int64_t>{};
  else if constexpr (Function == count_if) {
    if constexpr (std::is_same_v<T, bool>)
      return typed<std::int64_t>{};
    else
      return unsuitable{};
  } else if constexpr (Function == variance || Function == stddev) {
    if constexpr (is_number<T>)
      return typed<double, true>{};
    else
      return unsuitable{};
  } else if constexpr (logical == logical_type::list || logical == logical_type::structure)
    return unsuitable{};
  else if constexpr (Function == count_distinct || Function == approximate_count_distinct)
    return typed<std::int64_t>{};
  else if constexpr (Function == min || Function == max || Function == first || Function == last ||
                     Function == min_by || Function == max_by)
    return typed<T>{};
  else if constexpr (is_real<T>)
    return typed<double>{};
  else if constexpr (is_integer<T>) {
    if constexpr (Function == sum)
      return typed<std::int64_t>{};
    else
      return typed<double>{};
  } else if constexpr (is_decimal<T>::value) {
    if constexpr (Function == sum)
      return typed<decimal<std::min(T::precision + 10, 38), T::scale>>{};
    else
      return typed<decimal<std::min(T::precision + 4, 38), std::min(T::scale + 4, 38)>>{};
  } else if constexpr (std::is_same_v<T, duration> && Function == sum)
    return typed<duration>{};
  else
    return unsuitable{};
}

template <aggregate_function Function, class E, class Row>
struct inference<aggregate_call<Function, E>, Row> {
  static constexpr auto pick() {
    using argument = inferred<E, Row>;
    if constexpr (!passed<argument>)
      return argument{};
    else {
      using enum aggregate_function;
      constexpr bool counts = Function == count || Function == count_rows || Function == count_if ||
                              Function == count_distinct || Function == approximate_count_distinct;
      return with_null<decltype(aggregate_result<Function, typename argument::value>()),
                       !counts && argument::nullable>();
    }
  }
  using type = decltype(pick());
};

/// The type of an argument that is more than a value: what is kept, and by what it is chosen; void for source order.
template <class Value, class By>
struct chosen_value {};

template <class V, class Row>
struct inference<in_source_order<V>, Row> {
  static constexpr auto pick() {
    using value = inferred<V, Row>;
    if constexpr (!passed<value>)
      return value{};
    else
      return typed<chosen_value<typename value::value, void>, value::nullable>{};
  }
  using type = decltype(pick());
};
template <class V, class By, class Row>
struct inference<value_by<V, By>, Row> {
  static constexpr auto pick() {
    using parts = first_failure<inferred<V, Row>, inferred<By, Row>>;
    if constexpr (!passed<parts>)
      return parts{};
    else {
      using value = inferred<V, Row>;
      using by = inferred<By, Row>;
      return typed<chosen_value<typename value::value, typename by::value>, value::nullable || by::nullable>{};
    }
  }
  using type = decltype(pick());
};

template <aggregate_function Function, class V, class By>
constexpr auto chosen_result(std::type_identity<chosen_value<V, By>>) {
  if constexpr (std::is_void_v<By>)
    return aggregate_result<Function, V>();
  else {
    using order = decltype(aggregate_result<Function, By>());
    if constexpr (passed<order>)
      return aggregate_result<Function, V>();
    else
      return order{};
  }
}

template <aggregate_function Function, class Argument>
struct chosen_inference {
  static constexpr auto pick() {
    if constexpr (!passed<Argument>)
      return Argument{};
    else
      return with_null<decltype(chosen_result<Function>(std::type_identity<typename Argument::value>{})),
                       Argument::nullable>();
  }
  using type = decltype(pick());
};
template <aggregate_function Function, class V, class Row>
struct inference<aggregate_call<Function, in_source_order<V>>, Row>
    : chosen_inference<Function, inferred<in_source_order<V>, Row>> {};
template <aggregate_function Function, class V, class By, class Row>
struct inference<aggregate_call<Function, value_by<V, By>>, Row>
    : chosen_inference<Function, inferred<value_by<V, By>, Row>> {};

}  // namespace etlantic::detail
