#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/graph/output_contract.hpp>
#include <etlantic/graph/stream.hpp>

namespace etlantic {

template <fixed_string Name, class E>
struct derive_operator {
  using derive_tag = void;
  static constexpr auto name = Name;
  E value;
};

template <fixed_string Name, class E>
struct derive_step {
  using step_tag = void;
  E value;
};

/// Adds a column to the rows: `derive<"net">(field<"gross"> - field<"tax">)`. A column of the same name is hidden.
template <fixed_string Name, class E>
constexpr auto derive(const E& value) {
  if constexpr (Operand<E>)
    return derive_step<Name, expression_of<E>>{as_expression(value)};
  else
    return derive_step<Name, E>{value};  // judged when it meets its stream
}

namespace detail {

template <class Row, fixed_string Name, class E>
constexpr auto judge_derived() {
  using value = decltype(judge_row_value<Name, E>());
  if constexpr (!passed<value>)
    return value{};
  else
    return first_failure<inferred<E, Row>>{};
}

}  // namespace detail

template <Stream In, fixed_string Name, class E>
constexpr auto attach(const In& in, const derive_step<Name, E>& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_derived<Row, Name, E>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, derived_row<Row, Name, E>{in.row, step.value},
                                   derive_operator<Name, E>{step.value});
  else
    return poisoned{};
}

}  // namespace etlantic
