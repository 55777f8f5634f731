#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>

#include <type_traits>
#include <utility>

// What operators that keep rows by keys have in common.

namespace etlantic::detail {

/// Whether a field has values that can be compared.
template <class Row, fixed_string Name>
constexpr auto judge_keyed_field() {
  using found = inferred<field_reference<Name>, Row>;
  if constexpr (!passed<found>)
    return found{};
  else {
    constexpr logical_type logical = field_traits<typename found::value>::logical;
    if constexpr (logical == logical_type::structure || logical == logical_type::list)
      return fail<rule::keyed_field_must_be_comparable, called<Name>, type<typename found::value>>{};
    else
      return pass{};
  }
}

/// Whether nothing with state, no group, window or watermark stands behind an operator that keeps rows by keys.
template <class... Operators>
constexpr bool keyed_operators_stand_last() {
  bool seen = false, last = true;
  const auto look = [&]<class Operator>(std::type_identity<Operator>) {
    constexpr bool works_on_single_rows = !StatefulOperator<Operator> && !GroupOperator<Operator> &&
                                          !WindowOperator<Operator> && !WatermarkOperator<Operator>;
    last = last && (!seen || works_on_single_rows);
    if constexpr (KeyedOperator<Operator>) seen = true;
  };
  (look(std::type_identity<Operators>{}), ...);
  static_cast<void>(look);
  return last;
}

template <class S>
inline constexpr bool keyed_stands_last = true;
template <class Source, class Row, class... Operators>
inline constexpr bool keyed_stands_last<stream<Source, Row, Operators...>> = keyed_operators_stand_last<Operators...>();

}  // namespace etlantic::detail
