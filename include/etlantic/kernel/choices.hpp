#pragma once
#include <etlantic/expression/choices.hpp>
#include <etlantic/kernel/call.hpp>
#include <etlantic/kernel/compare.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace etlantic::kernel {

namespace detail {

/// Lanes that are put together from those of several nodes.
template <class Value>
struct gathered_lanes {
  Value room[lane_count]{};
  std::uint64_t valid = 0;

  void clear() {
    for (Value& each : room) each = Value{};
    valid = 0;
  }
  void take(const lanes<Value>& from, std::uint64_t rows) {
    for_each_lane(rows, [&](std::size_t i) { room[i] = from.values[i]; });
    valid |= from.valid & rows;
  }
  lanes<Value> values() const { return {room, valid}; }
};
template <>
struct gathered_lanes<bool> {
  std::uint64_t bits = 0;
  std::uint64_t valid = 0;

  void clear() { bits = valid = 0; }
  void take(const lanes<bool>& from, std::uint64_t rows) {
    bits |= from.bits & rows;
    valid |= from.valid & rows;
  }
  lanes<bool> values() const { return {bits, valid}; }
};

}  // namespace detail

// ---- case_when ------------------------------------------------------------------------------------------------------

template <class Condition, class Value>
struct bound_branch {
  Condition condition;
  Value value;
};

/// A value is computed where its condition is the first that is true; elsewhere it cannot fail.
template <class Value, bool Nullable, class Otherwise, class... Branches>
struct bound_case;

template <class Value, bool Nullable, class Otherwise, class... Conditions, class... Values>
struct bound_case<Value, Nullable, Otherwise, bound_branch<Conditions, Values>...> {
  using value = Value;
  static constexpr bool nullable = Nullable;
  static constexpr bool has_otherwise = !std::is_same_v<Otherwise, std::nullptr_t>;
  static constexpr bool can_fail =
      may_overflow<Otherwise> || ((may_overflow<Conditions> || may_overflow<Values>) || ...);
  boost::hana::tuple<bound_branch<Conditions, Values>...> branches;
  Otherwise otherwise;
  detail::gathered_lanes<Value> made;

  lanes<Value> evaluate(chunk& at) {
    const std::uint64_t active = at.active;
    std::uint64_t open = detail::rows_of(at);
    made.clear();
    const auto take = [&](auto& branch) {
      at.active = active & open;
      const lanes<bool> holds = branch.condition.evaluate(at);
      const std::uint64_t taken = open & holds.bits & holds.valid;
      at.active = active & taken;
      if (taken != 0) made.take(branch.value.evaluate(at), taken);
      open &= ~taken;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (take(boost::hana::at_c<I>(branches)), ...);
    }(std::index_sequence_for<Conditions...>{});
    if constexpr (has_otherwise) {
      at.active = active & open;
      if (open != 0) made.take(otherwise.evaluate(at), open);
    }
    at.active = active;
    return made.values();
  }
};

template <bool HasOtherwise>
struct call_binder<etlantic::detail::case_function<HasOtherwise>> {
  template <class Row, class... Operands>
  static auto bind(const call_expression<etlantic::detail::case_function<HasOtherwise>, Operands...>& of,
                   const Row& row) {
    using result = inferred<call_expression<etlantic::detail::case_function<HasOtherwise>, Operands...>, Row>;
    using Result = typename result::value;
    const auto branch = [&]<std::size_t I>() {
      auto condition = kernel::bind(boost::hana::at_c<2 * I>(of.operands), row);
      auto value = bind_as<Result>(boost::hana::at_c<2 * I + 1>(of.operands), row);
      return bound_branch<decltype(condition), decltype(value)>{std::move(condition), std::move(value)};
    };
    const auto otherwise = [&] {
      if constexpr (HasOtherwise)
        return bind_as<Result>(boost::hana::at_c<sizeof...(Operands) - 1>(of.operands), row);
      else
        return nullptr;
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return bound_case<storage_of<Result>, result::nullable, decltype(otherwise()),
                        decltype(branch.template operator()<I>())...> {
        {branch.template operator()<I>()...},
        otherwise(),
        {}
      };
    }(std::make_index_sequence<sizeof...(Operands) / 2>{});
  }
};

// ---- in -------------------------------------------------------------------------------------------------------------

/// Whether a value is one of the first `used` constants.
template <std::size_t Count, class E>
struct bound_in {
  using value = bool;
  static constexpr bool nullable = E::nullable;
  static constexpr bool can_fail = may_overflow<E>;
  E operand;
  std::array<typename E::value, Count> constants{};
  std::size_t used = 0;

  lanes<bool> evaluate(chunk& at) {
    const auto of = operand.evaluate(at);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < used; ++i) bits |= compare_lanes<operation::equal>(of.values, constants[i]);
    return {bits, of.valid};
  }
};

namespace detail {

/// A constant in the representation of T, or nothing if no T is equal to it.
template <class T, class L>
std::optional<storage_of<T>> constant_as(const literal<L>& of) {
  using storage = storage_of<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const auto made = static_cast<storage>(of.value);
    if (std::is_floating_point_v<L> && static_cast<double>(made) != static_cast<double>(of.value) && made == made)
      return {};
    return made;
  } else if constexpr (etlantic::detail::is_exact<T>) {
    int128 units = 0;
    if constexpr (etlantic::detail::is_decimal<L>::value)
      units = of.value.scaled;
    else
      units = of.value;
    constexpr int digits = etlantic::detail::scale_of<T>() - etlantic::detail::scale_of<L>();
    if constexpr (digits >= 0) {
      if (__builtin_mul_overflow(units, power_of_ten(digits), &units)) return {};
    } else {
      if (units % power_of_ten(-digits) != 0) return {};
      units /= power_of_ten(-digits);
    }
    const auto made = static_cast<storage>(units);
    if (int128{made} != units) return {};
    return made;
  } else
    return binder<literal<L>>::bind(of, nullptr).constant;
}

}  // namespace detail

template <>
struct call_binder<etlantic::detail::in_function> {
  template <class Row, class E, class... Literals>
  static auto bind(const call_expression<etlantic::detail::in_function, E, Literals...>& of, const Row& row) {
    auto operand = kernel::bind(boost::hana::at_c<0>(of.operands), row);
    bound_in<sizeof...(Literals), decltype(operand)> made{std::move(operand)};
    const auto add = [&](const auto& each) {
      if (const auto constant = detail::constant_as<value_of<E, Row>>(each)) made.constants[made.used++] = *constant;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add(boost::hana::at_c<I + 1>(of.operands)), ...);
    }(std::index_sequence_for<Literals...>{});
    return made;
  }
};

// ---- null_if --------------------------------------------------------------------------------------------------------

template <class E, class Equal>
struct bound_null_if {
  using value = typename E::value;
  static constexpr bool nullable = true;
  static constexpr bool can_fail = may_overflow<E> || may_overflow<Equal>;
  E operand;
  Equal equal;

  lanes<value> evaluate(chunk& at) {
    const lanes<bool> same = equal.evaluate(at);
    lanes<value> of = operand.evaluate(at);
    of.valid &= ~(same.bits & same.valid);
    return of;
  }
};

template <>
struct call_binder<etlantic::detail::null_if_function> {
  template <class Row, class L, class R>
  static auto bind(const call_expression<etlantic::detail::null_if_function, L, R>& of, const Row& row) {
    const auto& left = boost::hana::at_c<0>(of.operands);
    auto equal = bind_comparison<operation::equal>(left, boost::hana::at_c<1>(of.operands), row);
    auto operand = kernel::bind(left, row);
    return bound_null_if<decltype(operand), decltype(equal)>{std::move(operand), std::move(equal)};
  }
};

// ---- greatest, least ------------------------------------------------------------------------------------------------

template <operation Comparison, class L, class R>
struct bound_extreme {
  using value = typename L::value;
  static constexpr bool nullable = L::nullable && R::nullable;
  static constexpr bool can_fail = may_overflow<L> || may_overflow<R>;
  L left;
  R right;
  detail::gathered_lanes<value> made{};

  lanes<value> evaluate(chunk& at) {
    const auto l = left.evaluate(at);
    const auto r = right.evaluate(at);
    const std::uint64_t rows = detail::rows_of(at);
    std::uint64_t of_left = l.valid & ~r.valid;
    if constexpr (std::is_same_v<value, bool>)
      of_left |= l.valid & r.valid & (Comparison == operation::greater ? l.bits & ~r.bits : ~l.bits & r.bits);
    else
      for_each_lane(l.valid & r.valid & rows, [&](std::size_t i) {
        of_left |= static_cast<std::uint64_t>(compares<Comparison>(l.values[i], r.values[i])) << i;
      });
    made.clear();
    made.take(l, of_left & rows);
    made.take(r, ~of_left & rows);
    return made.values();
  }
};

template <operation Comparison>
struct call_binder<etlantic::detail::extreme_function<Comparison>> {
  template <class L, class R, class... Rest>
  static auto fold(L left, R right, Rest... rest) {
    bound_extreme<Comparison, L, R> both{std::move(left), std::move(right)};
    if constexpr (sizeof...(Rest) == 0)
      return both;
    else
      return fold(std::move(both), std::move(rest)...);
  }
  template <class Row, class... Operands>
  static auto bind(const call_expression<etlantic::detail::extreme_function<Comparison>, Operands...>& of,
                   const Row& row) {
    using Result = value_of<call_expression<etlantic::detail::extreme_function<Comparison>, Operands...>, Row>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return fold(bind_as<Result>(boost::hana::at_c<I>(of.operands), row)...);
    }(std::index_sequence_for<Operands...>{});
  }
};

// ---- abs ------------------------------------------------------------------------------------------------------------

template <class E>
struct bound_abs {
  using value = typename E::value;
  static constexpr bool nullable = E::nullable;
  static constexpr bool can_fail = !std::is_floating_point_v<value>;
  E operand;
  value room[lane_count]{};

  lanes<value> evaluate(chunk& at) {
    const auto of = operand.evaluate(at);
    std::uint64_t overflow = 0;
    for (std::size_t i = 0; i < at.count; ++i) {
      if constexpr (std::is_floating_point_v<value>)
        room[i] = std::fabs(of.values[i]);
      else {
        room[i] = of.values[i];
        if (room[i] < 0)
          overflow |= static_cast<std::uint64_t>(__builtin_sub_overflow(value{0}, room[i], &room[i])) << i;
      }
    }
    at.overflow |= overflow & of.valid & at.active;
    return {room, of.valid};
  }
};

template <>
struct call_binder<etlantic::detail::abs_function> {
  template <class Row, class E>
  static auto bind(const call_expression<etlantic::detail::abs_function, E>& of, const Row& row) {
    using Result = value_of<call_expression<etlantic::detail::abs_function, E>, Row>;
    auto operand = bind_as<Result>(boost::hana::at_c<0>(of.operands), row);
    return bound_abs<decltype(operand)>{std::move(operand)};
  }
};

}  // namespace etlantic::kernel
