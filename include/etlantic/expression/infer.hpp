#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/expression/aggregate.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/expression/row.hpp>
#include <etlantic/expression/rules.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace etlantic {

/// The type of an expression over a row: `typed<T, Nullable>`, or the failure that stops it.
template <class T, bool Nullable = false>
struct typed {
  using value = T;
  static constexpr bool nullable = Nullable;
};

/// A culprit: how long the exact result would be.
template <int Digits>
struct digits_needed {};

namespace detail {

template <class E, class Row>
struct inference;

}  // namespace detail

template <class E, class Row>
using inferred = typename detail::inference<std::remove_cv_t<E>, Row>::type;

namespace detail {

// ---- fields ---------------------------------------------------------------------------------------------------------

template <class Row, fixed_string Name>
struct find_field;

template <class C, fixed_string Name>
struct find_field<contract_row<C>, Name> {
  static constexpr std::size_t at = member_index<C>(Name.view());
  static constexpr auto pick() {
    if constexpr (at < member_count<C>) return typed<field_value<C, at>, field_nullable<C, at>>{};
    else {
      constexpr int near = closest_name(member_names<C>, Name.view());
      if constexpr (near < 0) return fail<rule::field_must_exist, etlantic::type<C>, called<Name>, nothing_similar>{};
      else
        return fail<rule::field_must_exist, etlantic::type<C>, called<Name>,
                    did_you_mean<called<fixed<[] { return member_names<C>[static_cast<std::size_t>(near)]; }>()>>>{};
    }
  }
  using type = decltype(pick());
};

template <class Row, fixed_string Added, class E, fixed_string Name>
struct find_field<derived_row<Row, Added, E>, Name> {
  static constexpr auto pick() {
    if constexpr (Added == Name) return inferred<E, Row>{};
    else return typename find_field<Row, Name>::type{};
  }
  using type = decltype(pick());
};

/// The expression that is assigned to a name, or the field of that name.
template <fixed_string Name, class... Assignments>
struct assigned_to {
  using type = field_reference<Name>;
};
template <fixed_string Name, class E, class... Rest>
struct assigned_to<Name, assignment<Name, E>, Rest...> {
  using type = E;
};
template <fixed_string Name, class First, class... Rest>
struct assigned_to<Name, First, Rest...> : assigned_to<Name, Rest...> {};

template <class Row, class C, class... Assignments, fixed_string Name>
struct find_field<selected_row<Row, C, Assignments...>, Name> {
  static constexpr auto pick() {
    if constexpr (member_index<C>(Name.view()) < member_count<C>)
      return inferred<typename assigned_to<Name, Assignments...>::type, Row>{};
    else return typename find_field<contract_row<C>, Name>::type{};  // names the culprit
  }
  using type = decltype(pick());
};

template <fixed_string Name, class Row>
struct inference<field_reference<Name>, Row> {
  using type = typename find_field<Row, Name>::type;
};

// ---- literals -------------------------------------------------------------------------------------------------------

template <class T, class Row>
struct inference<literal<T>, Row> {
  using type = typed<T>;
};
template <class Row>
struct inference<literal<std::string_view>, Row> {
  using type = typed<text>;
};

template <class E>
inline constexpr bool is_integer_literal = std::is_same_v<E, literal<std::int64_t>>;

// ---- kinds of values ------------------------------------------------------------------------------------------------

template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_exact = is_integer<T> || is_decimal<T>::value;
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_number = is_exact<T> || is_real<T>;

template <class T>
constexpr int digits_of() {
  if constexpr (is_decimal<T>::value) return T::precision;
  else return 19;
}
template <class T>
constexpr int scale_of() {
  if constexpr (is_decimal<T>::value) return T::scale;
  else return 0;
}

template <operation Op>
inline constexpr bool is_comparison = Op >= operation::equal && Op <= operation::greater_equal;
template <operation Op>
inline constexpr bool is_arithmetic = Op <= operation::remainder;

// ---- comparison -----------------------------------------------------------------------------------------------------

template <class L, class R, class LeftNode, class RightNode>
inline constexpr bool comparable =
    (is_exact<L> && is_exact<R>) || (is_real<L> && is_real<R>) || (is_real<L> && is_integer_literal<RightNode>) ||
    (is_real<R> && is_integer_literal<LeftNode>) ||
    (std::is_same_v<L, R> && field_traits<L>::logical != logical_type::list &&
     field_traits<L>::logical != logical_type::structure);

// ---- arithmetic -----------------------------------------------------------------------------------------------------

/// Result types follow Spark: sums get one more digit in front, products the digits of both. Never more than 38.
template <operation Op, class L, class R, int Digits, int Scale>
constexpr auto decimal_result() {
  if constexpr (Digits > 38)
    return fail<rule::decimal_must_fit_38_digits, called<fixed<[] { return name_of(Op); }>()>, type<L>, type<R>,
                digits_needed<Digits>>{};
  else return typed<decimal<Digits, Scale>>{};
}

/// Spark's type of a quotient: as many digits as the exact front and six behind the point need, or the divisor's; beyond 38
/// the digits behind the point go first, down to six.
template <class L, class R>
constexpr auto quotient_type() {
  constexpr int exact_scale = std::max(6, scale_of<L>() + digits_of<R>() + 1);
  constexpr int front = digits_of<L>() - scale_of<L>() + scale_of<R>();
  constexpr bool fits = front + exact_scale <= 38;
  constexpr int scale = fits ? exact_scale : std::max(38 - front, std::min(exact_scale, 6));
  return typed<decimal<fits ? front + exact_scale : 38, scale>, true>{};
}

template <operation Op, class L, class R>
constexpr auto arithmetic_type() {
  using enum operation;
  using undefined = fail<rule::arithmetic_must_be_defined, called<fixed<[] { return name_of(Op); }>()>, type<L>, type<R>>;
  if constexpr (is_integer<L> && is_integer<R>) {
    if constexpr (Op == divide) return typed<double, true>{};
    else return typed<std::int64_t, Op == remainder>{};
  } else if constexpr (is_exact<L> && is_exact<R>) {
    constexpr int scale = std::max(scale_of<L>(), scale_of<R>());
    constexpr int front = std::max(digits_of<L>() - scale_of<L>(), digits_of<R>() - scale_of<R>());
    if constexpr (Op == add || Op == subtract) return decimal_result<Op, L, R, front + scale + 1, scale>();
    else if constexpr (Op == multiply)
      return decimal_result<Op, L, R, digits_of<L>() + digits_of<R>() + 1, scale_of<L>() + scale_of<R>()>();
    else if constexpr (Op == divide) return quotient_type<L, R>();
    else return undefined{};
  } else if constexpr ((is_real<L> && is_number<R>) || (is_number<L> && is_real<R>)) {
    if constexpr (Op == remainder || is_decimal<L>::value || is_decimal<R>::value) return undefined{};
    else return typed<double, Op == divide>{};
  } else if constexpr (std::is_same_v<L, timestamp> && std::is_same_v<R, duration> && (Op == add || Op == subtract))
    return typed<timestamp>{};
  else if constexpr (std::is_same_v<L, duration> && std::is_same_v<R, timestamp> && Op == add) return typed<timestamp>{};
  else if constexpr (std::is_same_v<L, timestamp> && std::is_same_v<R, timestamp> && Op == subtract)
    return typed<duration>{};
  else if constexpr (std::is_same_v<L, duration> && std::is_same_v<R, duration> && (Op == add || Op == subtract))
    return typed<duration>{};
  else return undefined{};
}

template <class Found, bool Nullable>
constexpr auto with_null() {
  if constexpr (passed<Found>) return typed<typename Found::value, Found::nullable || Nullable>{};
  else return Found{};
}

// ---- operators ------------------------------------------------------------------------------------------------------

template <operation Op, class LeftNode, class RightNode, class Left, class Right>
constexpr auto binary_type() {
  using L = typename Left::value;
  using R = typename Right::value;
  constexpr bool nullable = Left::nullable || Right::nullable;
  if constexpr (is_comparison<Op>) {
    if constexpr (comparable<L, R, LeftNode, RightNode>) return typed<bool, nullable>{};
    else return fail<rule::operands_must_compare, type<L>, type<R>, LeftNode, RightNode>{};
  } else if constexpr (is_arithmetic<Op>) return with_null<decltype(arithmetic_type<Op, L, R>()), nullable>();
  else if constexpr (Op == operation::coalesce) {
    if constexpr (std::is_same_v<L, R>) return typed<L, Left::nullable && Right::nullable>{};
    else return fail<rule::operands_must_compare, type<L>, type<R>, LeftNode, RightNode>{};
  } else {
    if constexpr (std::is_same_v<L, bool> && std::is_same_v<R, bool>) return typed<bool, nullable>{};
    else return fail<rule::logic_needs_bools, type<L>, type<R>>{};
  }
}

template <operation Op, class L, class R, class Row>
struct inference<binary_expression<Op, L, R>, Row> {
  static constexpr auto pick() {
    using operands = first_failure<inferred<L, Row>, inferred<R, Row>>;
    if constexpr (passed<operands>) return binary_type<Op, L, R, inferred<L, Row>, inferred<R, Row>>();
    else return operands{};
  }
  using type = decltype(pick());
};

template <operation Op, class E, class Row>
struct inference<unary_expression<Op, E>, Row> {
  static constexpr auto pick() {
    using operand = inferred<E, Row>;
    if constexpr (!passed<operand>) return operand{};
    else if constexpr (Op == operation::is_null) return typed<bool>{};
    else if constexpr (Op == operation::logical_not) {
      if constexpr (std::is_same_v<typename operand::value, bool>) return operand{};
      else return fail<rule::logic_needs_bools, etlantic::type<typename operand::value>>{};
    } else {
      using T = typename operand::value;
      if constexpr (is_integer<T>) return typed<std::int64_t, operand::nullable>{};
      else if constexpr (is_number<T> || std::is_same_v<T, duration>) return operand{};
      else return fail<rule::arithmetic_must_be_defined, called<"-">, etlantic::type<T>>{};
    }
  }
  using type = decltype(pick());
};

// ---- aggregates -----------------------------------------------------------------------------------------------------

template <aggregate_function Function, class T>
constexpr auto aggregate_result() {
  using enum aggregate_function;
  using unsuitable = fail<rule::aggregate_must_suit_its_type, called<fixed<[] { return name_of(Function); }>()>, type<T>>;
  constexpr logical_type logical = field_traits<T>::logical;
  if constexpr (Function == count || Function == count_rows) return typed<std::int64_t>{};
  else if constexpr (Function == count_if) {
    if constexpr (std::is_same_v<T, bool>) return typed<std::int64_t>{};
    else return unsuitable{};
  } else if constexpr (Function == variance || Function == stddev) {
    if constexpr (is_number<T>) return typed<double, true>{};
    else return unsuitable{};
  } else if constexpr (logical == logical_type::list || logical == logical_type::structure) return unsuitable{};
  else if constexpr (Function == count_distinct || Function == approximate_count_distinct) return typed<std::int64_t>{};
  else if constexpr (Function == min || Function == max || Function == first || Function == last || Function == min_by ||
                     Function == max_by)
    return typed<T>{};
  else if constexpr (is_real<T>) return typed<double>{};
  else if constexpr (is_integer<T>) {
    if constexpr (Function == sum) return typed<std::int64_t>{};
    else return typed<double>{};
  } else if constexpr (is_decimal<T>::value) {
    if constexpr (Function == sum) return typed<decimal<std::min(T::precision + 10, 38), T::scale>>{};
    else return typed<decimal<std::min(T::precision + 4, 38), std::min(T::scale + 4, 38)>>{};
  } else if constexpr (std::is_same_v<T, duration> && Function == sum) return typed<duration>{};
  else return unsuitable{};
}

// ---- functions ------------------------------------------------------------------------------------------------------

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
    if constexpr (passed<operands>) return call_type<Function, Row, Operands...>::pick();
    else return operands{};
  }
  using type = decltype(pick());
};

template <aggregate_function Function, class E, class Row>
struct inference<aggregate_call<Function, E>, Row> {
  static constexpr auto pick() {
    using argument = inferred<E, Row>;
    if constexpr (!passed<argument>) return argument{};
    else {
      using enum aggregate_function;
      constexpr bool counts = Function == count || Function == count_rows || Function == count_if ||
                              Function == count_distinct || Function == approximate_count_distinct;
      return with_null<decltype(aggregate_result<Function, typename argument::value>()), !counts && argument::nullable>();
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
    if constexpr (!passed<value>) return value{};
    else return typed<chosen_value<typename value::value, void>, value::nullable>{};
  }
  using type = decltype(pick());
};
template <class V, class By, class Row>
struct inference<value_by<V, By>, Row> {
  static constexpr auto pick() {
    using parts = first_failure<inferred<V, Row>, inferred<By, Row>>;
    if constexpr (!passed<parts>) return parts{};
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
  if constexpr (std::is_void_v<By>) return aggregate_result<Function, V>();
  else {
    using order = decltype(aggregate_result<Function, By>());
    if constexpr (passed<order>) return aggregate_result<Function, V>();
    else return order{};
  }
}

template <aggregate_function Function, class Argument>
struct chosen_inference {
  static constexpr auto pick() {
    if constexpr (!passed<Argument>) return Argument{};
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

template <class E, class Row>
constexpr auto judge_predicate() {
  using found = inferred<E, Row>;
  if constexpr (!passed<found>) return found{};
  else if constexpr (!std::is_same_v<typename found::value, bool>)
    return fail<rule::predicate_must_be_bool, type<typename found::value>, E>{};
  else return pass{};
}

}  // namespace detail

/// Whether an expression can filter rows: it exists, and gives a bool.
template <class E, class Row>
using predicate_verdict = decltype(detail::judge_predicate<E, Row>());

}  // namespace etlantic
