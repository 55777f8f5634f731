#pragma once
#include <etlantic/kernel/bound.hpp>
#include <etlantic/kernel/decimal_division.hpp>
#include <etlantic/kernel/filter.hpp>

#include <boost/hana/tuple.hpp>

#include <cstdint>
#include <type_traits>

namespace etlantic::kernel {

/// Whether a bound expression can have values that do not fit their type, so that `chunk::overflow` has to be looked at
/// before its values are used.
template <class Node>
inline constexpr bool may_overflow = false;

template <template <operation, class, class> class Node, operation Op, class L, class R>
inline constexpr bool may_overflow<Node<Op, L, R>> = may_overflow<L> || may_overflow<R>;
template <operation Op, class L, class R>
inline constexpr bool may_overflow<bound_arithmetic<Op, L, R>> =
    (!std::is_floating_point_v<typename L::value> && Op != operation::remainder) || may_overflow<L> || may_overflow<R>;
template <class To, class E>
inline constexpr bool may_overflow<bound_convert<To, E>> =
    (std::is_same_v<To, std::int64_t> && std::is_same_v<typename E::value, std::uint64_t>) || may_overflow<E>;
template <class E>
inline constexpr bool may_overflow<bound_not<E>> = may_overflow<E>;
template <class E>
inline constexpr bool may_overflow<bound_is_null<E>> = may_overflow<E>;
template <class L, class R>
inline constexpr bool may_overflow<bound_coalesce<L, R>> = may_overflow<L> || may_overflow<R>;

template <class Result, int Digits, class L, class R>
inline constexpr bool may_overflow<bound_decimal_division<Result, Digits, L, R>> = true;
template <class Node>
  requires requires { Node::can_fail; }
inline constexpr bool may_overflow<Node> = Node::can_fail;

template <class Node>
inline constexpr bool may_overflow<bound_filter<Node>> = may_overflow<Node>;

/// Whether any of some tuples of them can.
template <class... Tuples>
inline constexpr bool any_may_overflow = (any_may_overflow<Tuples> || ...);
template <class... Nodes>
inline constexpr bool any_may_overflow<boost::hana::tuple<Nodes...>> = (may_overflow<Nodes> || ...);

}  // namespace etlantic::kernel
