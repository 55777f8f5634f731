#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/operators.hpp>

#include <boost/hana/concat.hpp>
#include <boost/hana/unpack.hpp>

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>

// Functions that choose one of several values, or ask where a value lies.

namespace etlantic {

namespace detail {

// ---- the type that holds the values of two --------------------------------------------------------------------------

/// The type that holds every value of both: integers of several widths meet in int64, exact numbers in a decimal with
/// the longer front and the longer scale, a floating-point number and an integer in float64.
template <class Function, class L, class R>
constexpr auto common_type_of() {
  using none = fail<rule::values_must_have_one_type, called_function<Function>, type<L>, type<R>>;
  if constexpr (std::is_same_v<L, R>)
    return typed<L>{};
  else if constexpr (is_integer<L> && is_integer<R>)
    return typed<std::int64_t>{};
  else if constexpr (is_exact<L> && is_exact<R>) {
    constexpr int scale = std::max(scale_of<L>(), scale_of<R>());
    constexpr int digits = scale + std::max(digits_of<L>() - scale_of<L>(), digits_of<R>() - scale_of<R>());
    if constexpr (digits <= 38)
      return typed<decimal<digits, scale>>{};
    else
      return none{};
  } else if constexpr ((is_real<L> && (is_real<R> || is_integer<R>)) || (is_real<R> && is_integer<L>))
    return typed<double>{};
  else
    return none{};
}

template <class Function, class L>
constexpr auto common_type_of_all() {
  return typed<L>{};
}
template <class Function, class L, class R, class... Rest>
constexpr auto common_type_of_all() {
  using both = decltype(common_type_of<Function, L, R>());
  if constexpr (passed<both>)
    return common_type_of_all<Function, typename both::value, Rest...>();
  else
    return both{};
}

template <class T>
inline constexpr bool has_order =
    field_traits<T>::logical != logical_type::list && field_traits<T>::logical != logical_type::structure;

// ---- case_when ------------------------------------------------------------------------------------------------------

template <bool HasOtherwise>
struct case_function {
  static constexpr std::string_view name = "case_when";
};

/// Operands: condition, value, condition, value, ..., and the value for the rest if there is one.
template <bool HasOtherwise, class Row, class... Operands>
struct call_type<case_function<HasOtherwise>, Row, Operands...> {
  using operands = boost::hana::tuple<Operands...>;
  template <std::size_t I>
  using operand = std::remove_cvref_t<decltype(boost::hana::at_c<I>(std::declval<operands>()))>;
  static constexpr std::size_t conditions = sizeof...(Operands) / 2;
  static constexpr std::size_t values = conditions + (HasOtherwise ? 1 : 0);
  static constexpr std::size_t value_at(std::size_t i) { return i < conditions ? 2 * i + 1 : 2 * i; }

  template <std::size_t... C, std::size_t... V>
  static constexpr auto judge(std::index_sequence<C...>, std::index_sequence<V...>) {
    using predicates = first_failure<decltype(judge_predicate<operand<2 * C>, Row>())...>;
    if constexpr (!passed<predicates>)
      return predicates{};
    else
      return with_null<decltype(common_type_of_all<case_function<HasOtherwise>,
                                                   typename inferred<operand<value_at(V)>, Row>::value...>()),
                       (!HasOtherwise || ... || inferred<operand<value_at(V)>, Row>::nullable)>();
  }
  static constexpr auto pick() {
    return judge(std::make_index_sequence<conditions>{}, std::make_index_sequence<values>{});
  }
};

template <class... Operands>
struct case_builder {
  boost::hana::tuple<Operands...> operands;

  /// Another condition, looked at where none before it was true.
  template <Operand Condition, Operand Value>
  constexpr auto when(const Condition& condition, const Value& value) const {
    using more = boost::hana::tuple<expression_of<Condition>, expression_of<Value>>;
    return case_builder<Operands..., expression_of<Condition>, expression_of<Value>>{
        boost::hana::concat(operands, more{as_expression(condition), as_expression(value)})};
  }

  /// The value where no condition was true.
  template <Operand Value>
  constexpr auto otherwise(const Value& value) const {
    return call_expression<case_function<true>, Operands..., expression_of<Value>>{
        {}, boost::hana::concat(operands, boost::hana::tuple<expression_of<Value>>{as_expression(value)})};
  }

  /// Null where no condition was true.
  constexpr auto otherwise_null() const { return call_expression<case_function<false>, Operands...>{{}, operands}; }
};

// ---- in -------------------------------------------------------------------------------------------------------------

struct in_function {
  static constexpr std::string_view name = "in";
};

template <class T>
inline constexpr bool is_literal = false;
template <class T>
inline constexpr bool is_literal<literal<T>> = true;

template <class Row, class E, class... Literals>
struct call_type<in_function, Row, E, Literals...> {
  template <class Literal>
  static constexpr auto judge() {
    using L = typename inferred<E, Row>::value;
    using R = typename inferred<Literal, Row>::value;
    if constexpr (std::is_same_v<L, bool> || !is_literal<Literal>)
      return unsuited<in_function, L, R>{};
    else if constexpr (comparable<L, R, E, Literal>)
      return pass{};
    else
      return fail<rule::operands_must_compare, type<L>, type<R>, E, Literal>{};
  }
  static constexpr auto pick() {
    using found = first_failure<decltype(judge<Literals>())...>;
    if constexpr (passed<found>)
      return typed<bool, inferred<E, Row>::nullable>{};
    else
      return found{};
  }
};

// ---- null_if, greatest, least, abs ----------------------------------------------------------------------------------

struct null_if_function {
  static constexpr std::string_view name = "null_if";
};

template <class Row, class L, class R>
struct call_type<null_if_function, Row, L, R> {
  static constexpr auto pick() {
    using left = typename inferred<L, Row>::value;
    using right = typename inferred<R, Row>::value;
    if constexpr (comparable<left, right, L, R>)
      return typed<left, true>{};
    else
      return fail<rule::operands_must_compare, type<left>, type<right>, L, R>{};
  }
};

template <operation Comparison>
struct extreme_function {
  static constexpr std::string_view name = Comparison == operation::greater ? "greatest" : "least";
};

template <operation Comparison, class Row, class... Operands>
struct call_type<extreme_function<Comparison>, Row, Operands...> {
  static constexpr auto pick() {
    using function = extreme_function<Comparison>;
    using found = decltype(common_type_of_all<function, typename inferred<Operands, Row>::value...>());
    if constexpr (!passed<found>)
      return found{};
    else if constexpr (!has_order<typename found::value>)
      return unsuited<function, typename found::value>{};
    else
      return with_null<found, (inferred<Operands, Row>::nullable && ...)>();
  }
};

struct abs_function {
  static constexpr std::string_view name = "abs";
  template <class T>
  static constexpr auto judge() {
    if constexpr (is_integer<T>)
      return typed<std::int64_t>{};
    else if constexpr (is_real<T>)
      return typed<double>{};
    else if constexpr (is_decimal<T>::value || std::is_same_v<T, duration>)
      return typed<T>{};
    else
      return unsuited<abs_function, T>{};
  }
};

}  // namespace detail

/// The value of the first condition that is true (null is not true), else that of `otherwise`:
/// `case_when(field<"total"> >= 1000, "large").when(field<"total"> >= 100, "medium").otherwise("small")`. The type
/// holds all the values. Only the value that is taken can overflow or fail.
template <Operand Condition, Operand Value>
constexpr auto case_when(const Condition& condition, const Value& value) {
  return detail::case_builder<expression_of<Condition>, expression_of<Value>>{
      {as_expression(condition), as_expression(value)}};
}

/// Whether the value is one of some constants: `in(field<"country">, "AT", "CH")`. Null where the value is null.
template <Expression E, Operand First, Operand... More>
constexpr auto in(const E& value, const First& first, const More&... more) {
  return detail::call(detail::in_function{}, value, first, more...);
}

/// Whether the value lies in [lowest, highest], as `value >= lowest && value <= highest` says with nulls.
template <Expression E, Operand Lowest, Operand Highest>
constexpr auto between(const E& value, const Lowest& lowest, const Highest& highest) {
  return value >= lowest && value <= highest;
}

/// The value, or null where it equals the other: `null_if(field<"code">, "")`. Null where the value is null.
template <Expression E, Operand Other>
constexpr auto null_if(const E& value, const Other& other) {
  return detail::call(detail::null_if_function{}, value, other);
}

/// The greatest of the values that are not null; null if all are. NaN is greater than every number.
template <Operand First, Operand Second, Operand... More>
  requires(Expression<First> || Expression<Second> || (Expression<More> || ...))
constexpr auto greatest(const First& first, const Second& second, const More&... more) {
  return detail::call(detail::extreme_function<operation::greater>{}, first, second, more...);
}

/// The least of the values that are not null; null if all are.
template <Operand First, Operand Second, Operand... More>
  requires(Expression<First> || Expression<Second> || (Expression<More> || ...))
constexpr auto least(const First& first, const Second& second, const More&... more) {
  return detail::call(detail::extreme_function<operation::less>{}, first, second, more...);
}

/// The value without its sign: int64 of integers, float64 of floating point, decimals and durations as they are. Null
/// of null. That of the smallest int64 does not fit: such a row is invalid.
template <Expression E>
constexpr auto abs(const E& value) {
  return detail::call(detail::abs_function{}, value);
}

}  // namespace etlantic
