#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/expression/infer_fields.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/expression/rules.hpp>
#include <etlantic/expression/typed.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

// Kinds of values, and what comparison and arithmetic give.

namespace etlantic::detail {

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
  if constexpr (is_decimal<T>::value)
    return T::precision;
  else
    return 19;
}
template <class T>
constexpr int scale_of() {
  if constexpr (is_decimal<T>::value)
    return T::scale;
  else
    return 0;
}

template <operation Op>
inline constexpr bool is_comparison = Op >= operation::equal && Op <= operation::greater_equal;
template <operation Op>
inline constexpr bool is_arithmetic = Op <= operation::remainder;

template <class L, class R, class LeftNode, class RightNode>
inline constexpr bool comparable =
    (is_exact<L> && is_exact<R>) || (is_real<L> && is_real<R>) || (is_real<L> && is_integer_literal<RightNode>) ||
    (is_real<R> && is_integer_literal<LeftNode>) ||
    (std::is_same_v<L, R> && field_traits<L>::logical != logical_type::list &&
     field_traits<L>::logical != logical_type::structure);

/// Result types follow Spark: sums get one more digit in front, products the digits of both. Never more than 38.
template <operation Op, class L, class R, int Digits, int Scale>
constexpr auto decimal_result() {
  if constexpr (Digits > 38)
    return fail<rule::decimal_must_fit_38_digits, called<fixed<[] { return name_of(Op); }>()>, type<L>, type<R>,
                digits_needed<Digits>>{};
  else
    return typed<decimal<Digits, Scale>>{};
}

/// Spark's type of a quotient: as many digits as the exact front and six behind the point need, or the divisor's;
/// beyond 38 the digits behind the point go first, down to six.
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
  using undefined =
      fail<rule::arithmetic_must_be_defined, called<fixed<[] { return name_of(Op); }>()>, type<L>, type<R>>;
  if constexpr (is_integer<L> && is_integer<R>) {
    if constexpr (Op == divide)
      return typed<double, true>{};
    else
      return typed<std::int64_t, Op == remainder>{};
  } else if constexpr (is_exact<L> && is_exact<R>) {
    constexpr int scale = std::max(scale_of<L>(), scale_of<R>());
    constexpr int front = std::max(digits_of<L>() - scale_of<L>(), digits_of<R>() - scale_of<R>());
    if constexpr (Op == add || Op == subtract)
      return decimal_result<Op, L, R, front + scale + 1, scale>();
    else if constexpr (Op == multiply)
      return decimal_result<Op, L, R, digits_of<L>() + digits_of<R>() + 1, scale_of<L>() + scale_of<R>()>();
    else if constexpr (Op == divide)
      return quotient_type<L, R>();
    else
      return undefined{};
  } else if constexpr ((is_real<L> && is_number<R>) || (is_number<L> && is_real<R>)) {
    if constexpr (Op == remainder || is_decimal<L>::value || is_decimal<R>::value)
      return undefined{};
    else
      return typed<double, Op == divide>{};
  } else if constexpr (std::is_same_v<L, timestamp> && std::is_same_v<R, duration> && (Op == add || Op == subtract))
    return typed<timestamp>{};
  else if constexpr (std::is_same_v<L, duration> && std::is_same_v<R, timestamp> && Op == add)
    return typed<timestamp>{};
  else if constexpr (std::is_same_v<L, timestamp> && std::is_same_v<R, timestamp> && Op == subtract)
    return typed<duration>{};
  else if constexpr (std::is_same_v<L, duration> && std::is_same_v<R, duration> && (Op == add || Op == subtract))
    return typed<duration>{};
  else
    return undefined{};
}

template <class Found, bool Nullable>
constexpr auto with_null() {
  if constexpr (passed<Found>)
    return typed<typename Found::value, Found::nullable || Nullable>{};
  else
    return Found{};
}

template <operation Op, class LeftNode, class RightNode, class Left, class Right>
constexpr auto binary_type() {
  using L = typename Left::value;
  using R = typename Right::value;
  constexpr bool nullable = Left::nullable || Right::nullable;
  if constexpr (is_comparison<Op>) {
    if constexpr (comparable<L, R, LeftNode, RightNode>)
      return typed<bool, nullable>{};
    else
      return fail<rule::operands_must_compare, type<L>, type<R>, LeftNode, RightNode>{};
  } else if constexpr (is_arithmetic<Op>)
    return with_null<decltype(arithmetic_type<Op, L, R>()), nullable>();
  else if constexpr (Op == operation::coalesce) {
    if constexpr (std::is_same_v<L, R>)
      return typed<L, Left::nullable && Right::nullable>{};
    else
      return fail<rule::operands_must_compare, type<L>, type<R>, LeftNode, RightNode>{};
  } else {
    if constexpr (std::is_same_v<L, bool> && std::is_same_v<R, bool>)
      return typed<bool, nullable>{};
    else
      return fail<rule::logic_needs_bools, type<L>, type<R>>{};
  }
}

template <operation Op, class L, class R, class Row>
struct inference<binary_expression<Op, L, R>, Row> {
  static constexpr auto pick() {
    using operands = first_failure<inferred<L, Row>, inferred<R, Row>>;
    if constexpr (passed<operands>)
      return binary_type<Op, L, R, inferred<L, Row>, inferred<R, Row>>();
    else
      return operands{};
  }
  using type = decltype(pick());
};

template <operation Op, class E, class Row>
struct inference<unary_expression<Op, E>, Row> {
  static constexpr auto pick() {
    using operand = inferred<E, Row>;
    if constexpr (!passed<operand>)
      return operand{};
    else if constexpr (Op == operation::is_null)
      return typed<bool>{};
    else if constexpr (Op == operation::logical_not) {
      if constexpr (std::is_same_v<typename operand::value, bool>)
        return operand{};
      else
        return fail<rule::logic_needs_bools, etlantic::type<typename operand::value>>{};
    } else {
      using T = typename operand::value;
      if constexpr (is_integer<T>)
        return typed<std::int64_t, operand::nullable>{};
      else if constexpr (is_number<T> || std::is_same_v<T, duration>)
        return operand{};
      else
        return fail<rule::arithmetic_must_be_defined, called<"-">, etlantic::type<T>>{};
    }
  }
  using type = decltype(pick());
};

}  // namespace etlantic::detail
