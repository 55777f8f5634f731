#pragma once
#include <etlantic/contract/enumerators.hpp>
#include <etlantic/expression/extended_row.hpp>
#include <etlantic/expression/infer.hpp>
#include <etlantic/graph/output_contract.hpp>
#include <etlantic/kernel/bound.hpp>
#include <etlantic/kernel/decimal_division.hpp>

#include <limits>
#include <type_traits>

// From expressions over names to expressions over column indices. The types have been judged before.

namespace etlantic::kernel {

template <class T>
using storage_of = typename field_traits<T>::storage;
template <class E, class Row>
using value_of = typename inferred<E, Row>::value;

template <class E, class Row>
auto bind(const E& expression, const Row& row);

// ---- fields ---------------------------------------------------------------------------------------------------------

/// How the names of a row behind a join are bound (bind_joined.hpp).
template <class Row>
struct joined_binder;
template <class Row>
concept JoinedRow = requires { typename Row::joined_tag; };

template <fixed_string Name, JoinedRow Row>
auto bind_field(const Row& row) {
  return joined_binder<Row>::template bind<Name>(row);
}

template <fixed_string Name, class C>
auto bind_field(const contract_row<C>&) {
  constexpr std::size_t index = member_index<C>(Name.view());
  return bound_field<storage_of<field_value<C, index>>, field_nullable<C, index>>{.index = index};
}

template <fixed_string Name, class Row, fixed_string Added, class E>
auto bind_field(const derived_row<Row, Added, E>& row) {
  if constexpr (Added == Name)
    return bind(row.value, row.before);
  else
    return bind_field<Name>(row.before);
}

template <fixed_string Name, class Row, class C, class... Assignments>
auto bind_field(const selected_row<Row, C, Assignments...>& row) {
  constexpr int at = etlantic::detail::assignment_index<Assignments...>(Name.view());
  if constexpr (at < 0)
    return bind_field<Name>(row.before);
  else
    return bind(boost::hana::at_c<static_cast<std::size_t>(at)>(row.assignments).value, row.before);
}

template <fixed_string Name, class Row, class... Added>
auto bind_field(const extended_row<Row, Added...>& row) {
  constexpr int at = etlantic::detail::added_index<Added...>(Name.view());
  if constexpr (at < 0)
    return bind_field<Name>(row.before);
  else {
    using found = typename etlantic::detail::added_at<at, Added...>::type;
    return bound_field<storage_of<typename found::value>, found::nullable>{
        .index = etlantic::detail::columns_beneath<Row> + static_cast<std::size_t>(at)};
  }
}

// ---- representations ------------------------------------------------------------------------------------------------

/// The representation in which numbers of two types can be compared and computed with exactly.
template <class L, class R>
struct common_number {
  static constexpr bool real = std::is_floating_point_v<L> || std::is_floating_point_v<R>;
  static constexpr int scale = std::max(etlantic::detail::scale_of<L>(), etlantic::detail::scale_of<R>());
  static constexpr bool narrow = !etlantic::detail::is_decimal<L>::value && !etlantic::detail::is_decimal<R>::value &&
                                 !std::is_same_v<L, std::uint64_t> && !std::is_same_v<R, std::uint64_t>;
  static constexpr bool same = std::is_same_v<L, R>;
  using type =
      std::conditional_t<real, double,
                         std::conditional_t<same, storage_of<L>, std::conditional_t<narrow, std::int64_t, int128>>>;
};

/// A bound number of type From as To, multiplied by 10^digits.
template <class To, class Node>
auto represent(Node node, int digits) {
  if constexpr (std::is_floating_point_v<To>) {
    if constexpr (std::is_same_v<typename Node::value, To>)
      return node;
    else
      return bound_convert<To, Node>{std::move(node), To{1}};
  } else
    return bound_convert<To, Node>{std::move(node), static_cast<To>(power_of_ten(digits))};
}

/// A constant next to a field: kept in the field's own representation, so that the field needs no conversion. One that
/// does not fit there lies beyond every value of the field and is moved to the end of the range.
template <class Field>
auto constant_beside(std::int64_t constant) {
  using Storage = storage_of<Field>;
  if constexpr (std::is_floating_point_v<Storage>)
    return bound_constant<Storage>(static_cast<Storage>(constant));
  else {
    constexpr int digits = etlantic::detail::scale_of<Field>();
    int128 scaled = 0;
    if (__builtin_mul_overflow(int128{constant}, power_of_ten(digits), &scaled))
      scaled = constant < 0 ? int128_min : int128_max;
    if constexpr (sizeof(Storage) < sizeof(int128)) {
      if (scaled > int128{std::numeric_limits<Storage>::max()}) scaled = std::numeric_limits<Storage>::max();
      if (scaled < int128{std::numeric_limits<Storage>::min()}) scaled = std::numeric_limits<Storage>::min();
    }
    return bound_constant<Storage>(static_cast<Storage>(scaled));
  }
}

/// Whether moving a constant to the end of the range keeps every comparison true: the values of a decimal64 never
/// reach it; those of an integer might.
template <class T>
inline constexpr bool constants_fit_beside =
    std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> || etlantic::detail::is_decimal<T>::value;

template <operation Op, class L, class R, class Row>
auto bind_comparison(const L& left, const R& right, const Row& row) {
  using etlantic::detail::is_integer_literal;
  using etlantic::detail::is_number;
  using LeftValue = value_of<L, Row>;
  using RightValue = value_of<R, Row>;
  if constexpr (std::is_same_v<LeftValue, bool>) {
    auto l = bind(left, row);
    auto r = bind(right, row);
    return bound_compare_bools<Op, decltype(l), decltype(r)>{std::move(l), std::move(r)};
  } else if constexpr (is_integer_literal<R> && !is_integer_literal<L> && constants_fit_beside<LeftValue>) {
    auto l = bind(left, row);
    auto r = constant_beside<LeftValue>(right.value);
    return bound_compare<Op, decltype(l), decltype(r)>{std::move(l), std::move(r)};
  } else if constexpr (is_integer_literal<L> && !is_integer_literal<R> && constants_fit_beside<RightValue>) {
    auto l = constant_beside<RightValue>(left.value);
    auto r = bind(right, row);
    return bound_compare<Op, decltype(l), decltype(r)>{std::move(l), std::move(r)};
  } else if constexpr (is_number<LeftValue> && is_number<RightValue> && !std::is_same_v<LeftValue, RightValue>) {
    using common = common_number<LeftValue, RightValue>;
    auto l = represent<typename common::type>(bind(left, row), common::scale - etlantic::detail::scale_of<LeftValue>());
    auto r =
        represent<typename common::type>(bind(right, row), common::scale - etlantic::detail::scale_of<RightValue>());
    return bound_compare<Op, decltype(l), decltype(r)>{std::move(l), std::move(r)};
  } else {
    auto l = bind(left, row);
    auto r = bind(right, row);
    return bound_compare<Op, decltype(l), decltype(r)>{std::move(l), std::move(r)};
  }
}

/// Operands of an arithmetic operation in the representation of its result. Sums align the scales; products do not.
template <operation Op, class Result, class E, class Row>
auto bind_operand(const E& operand, const Row& row) {
  using From = value_of<E, Row>;
  using To = storage_of<Result>;
  if constexpr (etlantic::detail::is_decimal<Result>::value) {
    constexpr int digits = Op == operation::multiply ? 0 : Result::scale - etlantic::detail::scale_of<From>();
    if constexpr (digits == 0 && std::is_same_v<storage_of<From>, To>)
      return bind(operand, row);
    else
      return represent<To>(bind(operand, row), digits);
  } else if constexpr (std::is_same_v<storage_of<From>, To>)
    return bind(operand, row);
  else
    return represent<To>(bind(operand, row), 0);
}

/// dividend / divisor has the scale of the one less that of the other; the rest of the result's scale is digits to add.
template <class Result, class L, class R, class Row>
auto bind_decimal_division(const L& left, const R& right, const Row& row) {
  using etlantic::detail::scale_of;
  constexpr int digits = Result::scale + scale_of<value_of<R, Row>>() - scale_of<value_of<L, Row>>();
  static_assert(digits >= 0 && digits <= 38);
  auto l = represent<int128>(bind(left, row), 0);
  auto r = represent<int128>(bind(right, row), 0);
  return bound_decimal_division<Result, digits, decltype(l), decltype(r)>{std::move(l), std::move(r)};
}

template <operation Op, class L, class R, class Row>
auto bind_binary(const L& left, const R& right, const Row& row) {
  if constexpr (etlantic::detail::is_comparison<Op>)
    return bind_comparison<Op>(left, right, row);
  else if constexpr (Op == operation::divide &&
                     etlantic::detail::is_decimal<value_of<binary_expression<Op, L, R>, Row>>::value)
    return bind_decimal_division<value_of<binary_expression<Op, L, R>, Row>>(left, right, row);
  else if constexpr (etlantic::detail::is_arithmetic<Op>) {
    using Result = value_of<binary_expression<Op, L, R>, Row>;
    auto l = bind_operand<Op, Result>(left, row);
    auto r = bind_operand<Op, Result>(right, row);
    return bound_arithmetic<Op, decltype(l), decltype(r)>{std::move(l), std::move(r)};
  } else {
    auto l = bind(left, row);
    auto r = bind(right, row);
    if constexpr (Op == operation::coalesce)
      return bound_coalesce<decltype(l), decltype(r)>{std::move(l), std::move(r)};
    else
      return bound_logic<Op, decltype(l), decltype(r)>{std::move(l), std::move(r)};
  }
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

template <class E>
struct binder;

template <fixed_string Name>
struct binder<field_reference<Name>> {
  template <class Row>
  static auto bind(const field_reference<Name>&, const Row& row) {
    return bind_field<Name>(row);
  }
};

template <class T>
struct binder<literal<T>> {
  template <class Row>
  static auto bind(const literal<T>& of, const Row&) {
    if constexpr (std::is_enum_v<T>)
      return bound_constant<storage_of<T>>(static_cast<storage_of<T>>(enumerator_index(of.value)));
    else if constexpr (std::is_same_v<T, timestamp>)
      return bound_constant<std::int64_t>(of.value.microseconds);
    else if constexpr (std::is_same_v<T, duration>)
      return bound_constant<std::int64_t>(of.value.count());
    else if constexpr (std::is_same_v<T, date>)
      return bound_constant<std::int32_t>(of.value.days);
    else if constexpr (etlantic::detail::is_decimal<T>::value)
      return bound_constant<storage_of<T>>(of.value.scaled);
    else
      return bound_constant<T>(of.value);
  }
};

template <operation Op, class L, class R>
struct binder<binary_expression<Op, L, R>> {
  template <class Row>
  static auto bind(const binary_expression<Op, L, R>& of, const Row& row) {
    return bind_binary<Op>(of.left, of.right, row);
  }
};

template <operation Op, class E>
struct binder<unary_expression<Op, E>> {
  template <class Row>
  static auto bind(const unary_expression<Op, E>& of, const Row& row) {
    auto operand = kernel::bind(of.operand, row);
    using Node = decltype(operand);
    if constexpr (Op == operation::logical_not)
      return bound_not<Node>{std::move(operand)};
    else if constexpr (Op == operation::is_null)
      return bound_is_null<Node>{std::move(operand)};
    else {
      using Value = storage_of<value_of<unary_expression<Op, E>, Row>>;
      auto zero = bound_constant<Value>(Value{0});
      auto wide = bind_operand<operation::subtract, value_of<unary_expression<Op, E>, Row>>(of.operand, row);
      return bound_arithmetic<operation::subtract, decltype(zero), decltype(wide)>{std::move(zero), std::move(wide)};
    }
  }
};

template <class E, class Row>
auto bind(const E& expression, const Row& row) {
  return binder<E>::bind(expression, row);
}

}  // namespace etlantic::kernel
