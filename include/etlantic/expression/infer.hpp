#pragma once
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/expression/infer_aggregates.hpp>
#include <etlantic/expression/infer_fields.hpp>
#include <etlantic/expression/infer_operators.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/expression/rules.hpp>
#include <etlantic/expression/typed.hpp>

#include <string_view>
#include <type_traits>

// What a call of a function gives, and what a predicate must. The other expressions stand in the headers above.

namespace etlantic::detail {

template <class Function>
struct name_of_function {
  static constexpr std::string_view get() { return Function::name; }
};
template <class Function>
using called_function = called<fixed_from<name_of_function<Function>>()>;

template <class Function, class... Values>
using unsuited = fail<rule::function_must_suit_its_arguments, called_function<Function>, type<Values>...>;

/// What a call gives: the type that its function says, null where an operand is null. Functions that treat nulls in
/// their own way, or look at their operands, specialise it.
template <class Function, class Row, class... Operands>
struct call_type {
  static constexpr auto pick() {
    using found = decltype(Function::template judge<typename inferred<Operands, Row>::value...>());
    return with_null<found, (inferred<Operands, Row>::nullable || ...)>();
  }
};

template <class Function, class... Operands, class Row>
struct inference<call_expression<Function, Operands...>, Row> {
  static constexpr auto pick() {
    using operands = first_failure<inferred<Operands, Row>...>;
    if constexpr (passed<operands>)
      return call_type<Function, Row, Operands...>::pick();
    else
      return operands{};
  }
  using type = decltype(pick());
};

template <class E, class Row>
constexpr auto judge_predicate() {
  using found = inferred<E, Row>;
  if constexpr (!passed<found>)
    return found{};
  else if constexpr (!std::is_same_v<typename found::value, bool>)
    return fail<rule::predicate_must_be_bool, type<typename found::value>, E>{};
  else
    return pass{};
}

}  // namespace etlantic::detail

namespace etlantic {

/// Whether an expression can filter rows: it exists, and gives a bool.
template <class E, class Row>
using predicate_verdict = decltype(detail::judge_predicate<E, Row>());

}  // namespace etlantic
