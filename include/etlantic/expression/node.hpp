#pragma once
#include <etlantic/contract/enumerators.hpp>
#include <etlantic/core/constant_text.hpp>
#include <etlantic/core/decimal.hpp>
#include <etlantic/core/fixed_length.hpp>
#include <etlantic/core/fixed_string.hpp>
#include <etlantic/core/time.hpp>

#include <boost/hana/tuple.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace etlantic {

// Expressions are data: what they mean is in infer.hpp (types) and in kernel/ (values).

template <class E>
concept Expression = requires { typename E::expression_tag; };

/// The field of a row, by name: `field<"order_total">`.
template <fixed_string Name>
struct field_reference {
  using expression_tag = void;
};
template <fixed_string Name>
inline constexpr field_reference<Name> field{};

/// A constant. Integers are int64, floating point is double, characters are a string_view.
template <class T>
struct literal {
  using expression_tag = void;
  T value;
};

enum class operation : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_not,
  negate,
  is_null,
  coalesce,
};

constexpr std::string_view name_of(operation op) {
  constexpr std::string_view names[] = {
      "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "-", "is_null", "coalesce"};
  return names[static_cast<int>(op)];
}

template <operation Op, class E>
struct unary_expression {
  using expression_tag = void;
  E operand;
};

template <operation Op, class L, class R>
struct binary_expression {
  using expression_tag = void;
  L left;
  R right;
};

/// A function of operands: `upper_ascii(field<"name">)`. What a function gives is said by `Function`, or by `call_type`
/// of it; its values are in kernel/.
template <class Function, class... Operands>
struct call_expression {
  using expression_tag = void;
  Function function;
  boost::hana::tuple<Operands...> operands;
};

/// A named expression, as `select`, `derive` and `aggregate` take them.
template <fixed_string Name, class E>
struct assignment {
  static constexpr auto name = Name;
  using expression = E;
  E value;
};

namespace detail {
template <class T>
inline constexpr bool is_literal_value = std::is_same_v<T, timestamp> || std::is_same_v<T, date> || std::is_enum_v<T>;
template <int P, int S>
inline constexpr bool is_literal_value<decimal<P, S>> = true;
}  // namespace detail

/// Something that can stand in an expression: an expression, a constant, or a parameter of the transformation.
template <class T>
concept Operand = Expression<T> || std::is_arithmetic_v<T> || detail::is_duration<T> || detail::is_literal_value<T> ||
                  std::is_convertible_v<T, std::string_view> || requires { typename T::parameter_tag; };

namespace detail {
/// Digits behind the microsecond are cut.
template <class Length>
constexpr duration literal_length(const Length& length) {
  enforce(judge_length<Length>());
  return std::chrono::duration_cast<duration>(length);
}
}  // namespace detail

template <Operand T>
constexpr auto as_expression(const T& operand) {
  if constexpr (Expression<T>)
    return operand;
  else if constexpr (requires { typename T::parameter_tag; })
    return as_expression(operand.value);
  else if constexpr (std::is_same_v<T, bool>)
    return literal<bool>{operand};
  else if constexpr (std::is_integral_v<T>)
    return literal<std::int64_t>{static_cast<std::int64_t>(operand)};
  else if constexpr (std::is_floating_point_v<T>)
    return literal<double>{static_cast<double>(operand)};
  else if constexpr (detail::is_duration<T>)
    return literal<duration>{detail::literal_length(operand)};
  else if constexpr (std::is_enum_v<T>) {
    // Columns hold places in the list of names; a value without one would compare as something it is not.
    if (enumerator_index(operand) == enumerator_names<T>.size())
      throw "etlantic: this value has no name among the enumerators; widen etlantic::enumerator_range for its type";
    return literal<T>{operand};
  } else if constexpr (detail::is_literal_value<T>)
    return literal<T>{operand};
  else
    return literal<std::string_view>{constant_text(operand)};
}

template <class T>
using expression_of = decltype(as_expression(std::declval<const T&>()));

/// Two operands of which at least one is an expression: what our operators are looked up for.
template <class L, class R>
concept OperandPair = (Expression<L> && Operand<R>) || (Operand<L> && Expression<R>);

namespace detail {
template <operation Op, class L, class R>
constexpr auto combine(const L& left, const R& right) {
  return binary_expression<Op, expression_of<L>, expression_of<R>>{as_expression(left), as_expression(right)};
}

template <class Function, class... Operands>
constexpr auto call(const Function& function, const Operands&... operands) {
  return call_expression<Function, expression_of<Operands>...>{
      function, boost::hana::tuple<expression_of<Operands>...>{as_expression(operands)...}};
}
}  // namespace detail

}  // namespace etlantic
