#pragma once
#include <etlantic/contract/rules.hpp>
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace etlantic {

// Why a type cannot be a contract.
struct is_not_a_struct {};
struct has_constructors_or_private_fields {};
struct has_virtual_functions {};
struct has_a_base_class {};
struct has_a_c_array {};
struct has_no_fields {};
struct has_more_than_100_fields {};

/// Specialised by ETLANTIC_DESCRIBE for types that cannot be reflected.
template <class T>
struct described_members;

namespace detail {

template <class T>
concept Described = requires { described_members<T>::count; };

// Never called. They have bodies, because clang demands one for types of an anonymous namespace.
struct anything {
  template <class T>
  operator T&() const&& noexcept {
    __builtin_unreachable();
  }
  template <class T>
  operator T&&() const&& noexcept {
    __builtin_unreachable();
  }
};

struct any_class {
  template <class T>
    requires std::is_class_v<T>
  operator T() const {
    __builtin_unreachable();
  }
};

template <class Derived>
struct any_base {
  template <class Base>
    requires(std::is_base_of_v<Base, Derived> && !std::is_same_v<Base, Derived>)
  operator Base() const {
    __builtin_unreachable();
  }
};

template <std::size_t>
using anything_at = anything;

template <class T, std::size_t... I>
constexpr bool accepts_values(std::index_sequence<I...>) {
  return requires { T{anything_at<I>{}...}; };
}

// Values without inner braces fill a C array one by one, so this counts each element of an array.
template <class T, std::size_t Count = 0>
constexpr std::size_t count_values() {
  if constexpr (Count > 100)
    return Count;
  else if constexpr (accepts_values<T>(std::make_index_sequence<Count + 1>{}))
    return count_values<T, Count + 1>();
  else
    return Count;
}

// Where an array begins, two values in braces are accepted although no class stands there.
template <class T, std::size_t... Before>
constexpr bool array_begins_after(std::index_sequence<Before...>) {
  return requires { T{anything_at<Before>{}..., {anything{}, anything{}}}; } &&
         !requires { T{anything_at<Before>{}..., any_class{}}; };
}

template <class T, std::size_t... I>
constexpr bool holds_c_array(std::index_sequence<I...>) {
  return (array_begins_after<T>(std::make_index_sequence<I>{}) || ...);
}

template <class T>
constexpr auto judge_contract() {
  using rule::contract_must_be_a_plain_aggregate;
  if constexpr (Described<T>)
    return pass{};
  else if constexpr (!std::is_class_v<T>)
    return fail<contract_must_be_a_plain_aggregate, type<T>, is_not_a_struct>{};
  else if constexpr (std::is_polymorphic_v<T>)
    return fail<contract_must_be_a_plain_aggregate, type<T>, has_virtual_functions>{};
  else if constexpr (!std::is_aggregate_v<T>)
    return fail<contract_must_be_a_plain_aggregate, type<T>, has_constructors_or_private_fields>{};
  else if constexpr (requires { T{any_base<T>{}}; })
    return fail<contract_must_be_a_plain_aggregate, type<T>, has_a_base_class>{};
  else if constexpr (std::is_empty_v<T>)
    return fail<contract_must_be_a_plain_aggregate, type<T>, has_no_fields>{};
  else {
    constexpr std::size_t values = count_values<T>();
    if constexpr (values > 100)
      return fail<contract_must_be_a_plain_aggregate, type<T>, has_more_than_100_fields>{};
    else if constexpr (holds_c_array<T>(std::make_index_sequence<values>{}))
      return fail<contract_must_be_a_plain_aggregate, type<T>, has_a_c_array>{};
    else
      return pass{};
  }
}

}  // namespace detail

/// Whether a type can be reflected at all: asked before Boost.PFR sees it, whose own errors do not name the cause.
template <class T>
using aggregate_verdict = decltype(detail::judge_contract<T>());

}  // namespace etlantic
