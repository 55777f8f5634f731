#pragma once
#include <etlantic/expression/infer.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace etlantic {

/// The argument of `collect_list`: a value, and how many of them are kept.
template <class V, std::size_t Most>
struct first_in_source_order {
  V value;
};

/// The first `Most` values in source order as a list, ignoring nulls: `std::vector` of their type, empty without
/// values. What comes behind them is not kept, so that a group's state is bounded.
template <std::size_t Most, Expression E>
constexpr auto collect_list(const E& of) {
  return aggregate_call<aggregate_function::collect_list, first_in_source_order<E, Most>>{{of}};
}

/// A culprit: how many values a list should keep.
template <std::size_t Most>
struct values_kept {};

namespace detail {

/// The type of the argument, for the kernel.
template <class T, std::size_t Most>
struct listed_value {};

template <class V, std::size_t Most, class Row>
struct inference<first_in_source_order<V, Most>, Row> {
  static constexpr auto pick() {
    using value = inferred<V, Row>;
    if constexpr (!passed<value>)
      return value{};
    else
      return typed<listed_value<typename value::value, Most>, value::nullable>{};
  }
  using type = decltype(pick());
};

template <class V, std::size_t Most, class Row>
struct inference<aggregate_call<aggregate_function::collect_list, first_in_source_order<V, Most>>, Row> {
  static constexpr auto pick() {
    using value = inferred<V, Row>;
    if constexpr (!passed<value>)
      return value{};
    else if constexpr (Most < 1 || Most > 10'000)
      return fail<rule::collected_list_must_be_bounded, values_kept<Most>>{};
    else if constexpr (std::is_void_v<typename field_traits<typename value::value>::storage>)
      return fail<rule::aggregate_must_suit_its_type, called<"collect_list">, etlantic::type<typename value::value>>{};
    else
      return typed<std::vector<typename value::value>>{};
  }
  using type = decltype(pick());
};

}  // namespace detail
}  // namespace etlantic
