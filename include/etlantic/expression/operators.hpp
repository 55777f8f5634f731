#pragma once
#include <etlantic/expression/node.hpp>

namespace etlantic {

template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator+(const L& left, const R& right) {
  return detail::combine<operation::add>(left, right);
}
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator-(const L& left, const R& right) {
  return detail::combine<operation::subtract>(left, right);
}
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator*(const L& left, const R& right) {
  return detail::combine<operation::multiply>(left, right);
}
/// Division of integers and floating point gives a float64. That of decimals gives a decimal of Spark's type, rounded
/// half away from zero: decimal<10, 2> / decimal<5, 3> is a decimal<19, 8>. Null where the divisor is zero.
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator/(const L& left, const R& right) {
  return detail::combine<operation::divide>(left, right);
}
/// Remainder of integers, with the sign of the dividend; null where the divisor is zero.
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator%(const L& left, const R& right) {
  return detail::combine<operation::remainder>(left, right);
}

template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator==(const L& left, const R& right) {
  return detail::combine<operation::equal>(left, right);
}
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator!=(const L& left, const R& right) {
  return detail::combine<operation::not_equal>(left, right);
}
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator<(const L& left, const R& right) {
  return detail::combine<operation::less>(left, right);
}
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator<=(const L& left, const R& right) {
  return detail::combine<operation::less_equal>(left, right);
}
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator>(const L& left, const R& right) {
  return detail::combine<operation::greater>(left, right);
}
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator>=(const L& left, const R& right) {
  return detail::combine<operation::greater_equal>(left, right);
}

/// SQL's three-valued logic: null and false is false, null or true is true, otherwise null stays null. Both sides are
/// always evaluated; there is no short circuit.
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator&&(const L& left, const R& right) {
  return detail::combine<operation::logical_and>(left, right);
}
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto operator||(const L& left, const R& right) {
  return detail::combine<operation::logical_or>(left, right);
}
template <Expression E>
constexpr auto operator!(const E& operand) {
  return unary_expression<operation::logical_not, E>{operand};
}
template <Expression E>
constexpr auto operator-(const E& operand) {
  return unary_expression<operation::negate, E>{operand};
}

/// True where the operand is null; never null itself.
template <Expression E>
constexpr auto is_null(const E& operand) {
  return unary_expression<operation::is_null, E>{operand};
}
template <Expression E>
constexpr auto is_not_null(const E& operand) {
  return !is_null(operand);
}
/// The first operand where it is not null, else the second.
template <class L, class R>
  requires OperandPair<L, R>
constexpr auto coalesce(const L& first, const R& second) {
  return detail::combine<operation::coalesce>(first, second);
}

/// `named<"total"> = sum(field<"amount">)`.
template <fixed_string Name>
struct column_name {
  template <class E>
  constexpr auto operator=(const E& value) const {
    if constexpr (Operand<E>)
      return assignment<Name, expression_of<E>>{as_expression(value)};
    else
      return assignment<Name, E>{value};
  }
};
template <fixed_string Name>
inline constexpr column_name<Name> named{};

}  // namespace etlantic
