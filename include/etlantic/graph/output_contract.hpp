#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/culprit.hpp>
#include <etlantic/expression/aggregate.hpp>
#include <etlantic/expression/infer.hpp>
#include <etlantic/graph/rules.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace etlantic::detail {

/// Whether every value of one type has its place in the other. Decimals need the same scale; whether the digits of one
/// that may be longer fit is checked on each value, as a sum is.
template <class From, class To>
constexpr bool value_fits() {
  if constexpr (std::is_same_v<From, To>)
    return true;
  else if constexpr (is_integer<From> && is_integer<To>)
    return std::is_signed_v<To> == std::is_signed_v<From> && sizeof(To) >= sizeof(From);
  else if constexpr (is_decimal<From>::value && is_decimal<To>::value)
    return From::scale == To::scale;
  else if constexpr (is_real<From> && is_real<To>)
    return sizeof(To) >= sizeof(From);
  else
    return false;
}

/// Whether something can be computed from one row.
template <fixed_string Name, class E>
constexpr auto judge_row_value() {
  if constexpr (Expression<E>)
    return pass{};
  else if constexpr (is_aggregate_call<E>)
    return fail<rule::aggregate_function_needs_an_aggregate, called<Name>, E>{};
  else
    return fail<rule::value_must_be_an_expression, called<Name>, type<E>>{};
}

/// Whether a value of an inferred type can go into field I of contract C.
template <class C, std::size_t I, class Found>
constexpr auto judge_output_field() {
  using name = called<fixed<[] { return member_names<C>[I]; }>()>;
  if constexpr (!passed<Found>)
    return Found{};
  else if constexpr (!value_fits<typename Found::value, field_value<C, I>>())
    return fail<rule::output_field_must_have_this_type, type<C>, name, type<typename Found::value>,
                type<field_value<C, I>>>{};
  else if constexpr (Found::nullable && !field_nullable<C, I>)
    return fail<rule::null_must_not_enter_a_required_field, type<C>, name>{};
  else
    return pass{};
}

/// Whether an assigned name is a field of contract C.
template <class C, fixed_string Name>
constexpr auto judge_output_name() {
  if constexpr (member_index<C>(Name.view()) < member_count<C>)
    return pass{};
  else {
    constexpr int near = closest_name(member_names<C>, Name.view());
    if constexpr (near < 0)
      return fail<rule::output_field_must_exist, type<C>, called<Name>, nothing_similar>{};
    else
      return fail<rule::output_field_must_exist, type<C>, called<Name>,
                  did_you_mean<called<fixed<[] { return member_names<C>[static_cast<std::size_t>(near)]; }>()>>>{};
  }
}

/// Index of the assignment to a name, or -1.
template <class... Assignments>
constexpr int assignment_index([[maybe_unused]] std::string_view name) {
  int found = -1, at = 0;
  ((found = found < 0 && Assignments::name.view() == name ? at : found, ++at), ...);
  return found;
}

}  // namespace etlantic::detail
