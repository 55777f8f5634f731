#pragma once
#include <etlantic/contract/judge.hpp>
#include <etlantic/contract/reflect.hpp>
#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/operators.hpp>

#include <boost/hana/tuple.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic {

/// The arguments of an aggregate of the user.
template <class Aggregate, class... E>
struct values_for {
  boost::hana::tuple<E...> values;
};

/// An aggregate of your own: a plain struct that is its own state, of numbers, bools, enumerations, decimals, times,
/// `std::array`s and structs of them.
///
///     struct geometric_mean {
///       double logarithms = 0;
///       std::int64_t count = 0;
///
///       void add(double value) { logarithms += std::log(value), ++count; }
///       void merge(const geometric_mean& other) { logarithms += other.logarithms, count += other.count; }
///       std::optional<double> result() const {
///         if (count == 0) return std::nullopt;
///         return std::exp(logarithms / static_cast<double>(count));
///       }
///     };
///
///     aggregate<Growth>(named<"growth"> = aggregated_by<geometric_mean>(field<"factor">))
///
/// Rows where an argument is null are passed over. `add` gets texts as std::string_view. A result of std::optional can
/// be null.
template <class Aggregate, Operand... E>
constexpr auto aggregated_by(const E&... of) {
  using arguments = values_for<Aggregate, expression_of<E>...>;
  return aggregate_call<aggregate_function::aggregated_by, arguments>{
      arguments{boost::hana::tuple<expression_of<E>...>{as_expression(of)...}}};
}

// Why a struct cannot be an aggregate; see contract/judge.hpp for the others.
struct is_not_copied_as_bytes {};

namespace detail {

// ---- the state ------------------------------------------------------------------------------------------------------

template <class T>
inline constexpr bool is_fixed_array = false;
template <class T, std::size_t N>
inline constexpr bool is_fixed_array<std::array<T, N>> = true;

/// Kept as so many bytes that are nothing but its value.
template <class T>
inline constexpr bool is_fixed_scalar =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || std::is_enum_v<T> || is_decimal<T>::value ||
    std::is_same_v<T, timestamp> || std::is_same_v<T, date> || std::is_same_v<T, duration> || std::is_same_v<T, int128>;

/// Whether a struct is a state; its own fields are those of the aggregate `Of`.
template <class Of, class Struct>
constexpr auto judge_state();

template <class Of, fixed_string Name, class T>
constexpr auto judge_state_field() {
  if constexpr (is_fixed_scalar<T>)
    return pass{};
  else if constexpr (is_fixed_array<T>)
    return judge_state_field<Of, Name, typename T::value_type>();
  else if constexpr (passed<aggregate_verdict<T>>)
    return judge_state<Of, T>();
  else
    return fail<rule::user_aggregate_must_have_fixed_width, type<Of>, called<Name>, type<T>>{};
}

template <class Of, class Reason>
struct not_a_plain_struct {
  using type = pass;
};
template <class Of, class Rule, class T, class Reason>
struct not_a_plain_struct<Of, fail<Rule, T, Reason>> {
  using type = fail<rule::user_aggregate_must_be_a_plain_struct, etlantic::type<Of>, Reason>;
};

template <class Of, class Struct, std::size_t... I>
constexpr auto judge_state_fields(std::index_sequence<I...>) {
  return first_failure<
      decltype(judge_state_field<Of, fixed<[] { return member_names<Struct>[I]; }>(), member_type<Struct, I>>())...>{};
}

template <class Of, class Struct>
constexpr auto judge_state() {
  using plain = typename not_a_plain_struct<Struct, aggregate_verdict<Struct>>::type;
  if constexpr (!passed<plain>)
    return plain{};
  else {
    using fields = decltype(judge_state_fields<Of, Struct>(std::make_index_sequence<member_count<Struct>>{}));
    if constexpr (!passed<fields>)
      return fields{};
    else if constexpr (!std::is_trivially_copyable_v<Struct> || !std::is_copy_assignable_v<Struct> ||
                       !std::is_default_constructible_v<Struct>)
      return fail<rule::user_aggregate_must_be_a_plain_struct, type<Struct>, is_not_copied_as_bytes>{};
    else
      return pass{};
  }
}

// ---- its functions --------------------------------------------------------------------------------------------------

/// How `add` gets a value of a field.
template <class T>
using added_value = std::conditional_t<std::is_same_v<T, text>, std::string_view, T>;

struct has_add {
  void add();
};
template <class T>
struct has_add_too : T, has_add {};
/// Whether there is anything of that name, overloaded or a template: two of them are ambiguous.
template <class T>
inline constexpr bool names_add = !requires { &has_add_too<T>::add; };

/// Whether a parameter takes every value of a field, unchanged.
template <class Value, class Parameter>
constexpr bool takes() {
  using To = std::remove_cvref_t<Parameter>;
  if constexpr (std::is_lvalue_reference_v<Parameter> && !std::is_const_v<std::remove_reference_t<Parameter>>)
    return false;
  else if constexpr (std::is_same_v<added_value<Value>, To> || std::is_same_v<Value, To>)
    return true;
  else if constexpr (is_integer<Value> && is_integer<To>)
    return std::is_signed_v<Value> == std::is_signed_v<To> ? sizeof(To) >= sizeof(Value)
                                                           : std::is_signed_v<To> && sizeof(To) > sizeof(Value);
  else if constexpr (is_real<Value> && is_real<To>)
    return sizeof(To) >= sizeof(Value);
  else
    return false;
}

template <class Parameters, class Values>
inline constexpr bool takes_all = false;
template <class... P, class... V>
  requires(sizeof...(P) == sizeof...(V))
inline constexpr bool takes_all<type<void(P...)>, type<void(V...)>> = (takes<V, P>() && ...);

template <class Member>
struct parameters_of;
template <class R, class T, class... P>
struct parameters_of<R (T::*)(P...)> {
  using type = etlantic::type<void(P...)>;
};
template <class R, class T, class... P>
struct parameters_of<R (T::*)(P...) noexcept> : parameters_of<R (T::*)(P...)> {};
template <class R, class... P>
struct parameters_of<R (*)(P...)> {  // a static one keeps nothing
  using type = void;
};
template <class R, class T, class... P>
struct parameters_of<R (T::*)(P...) const> : parameters_of<R (*)(P...)> {};
template <class R, class T, class... P>
struct parameters_of<R (T::*)(P...) const noexcept> : parameters_of<R (*)(P...)> {};

/// Conversions of C++ would cut numbers short in silence, so the parameters of an `add` that is one function are looked
/// at; one of several, or a template, has to accept the values.
template <class Aggregate, class... Values>
constexpr bool adds_values() {
  if constexpr (requires { typename parameters_of<decltype(&Aggregate::add)>::type; })
    return takes_all<typename parameters_of<decltype(&Aggregate::add)>::type, type<void(Values...)>>;
  else
    return requires(Aggregate& state, const added_value<Values>&... values) { state.add(values...); };
}

template <class T>
struct unwrapped_result {
  using value = T;
  static constexpr bool nullable = false;
};
template <class T>
struct unwrapped_result<std::optional<T>> {
  using value = T;
  static constexpr bool nullable = true;
};

template <class T>
constexpr bool is_scalar_field() {
  if constexpr (!field_traits<T>::known)
    return false;
  else
    return !std::is_void_v<typename field_traits<T>::storage> && std::is_same_v<typename field_traits<T>::value, T>;
}

template <class Aggregate>
constexpr auto judge_result_of() {
  if constexpr (!requires(const Aggregate& state) { state.result(); })
    return fail<rule::user_aggregate_must_give_a_result, type<Aggregate>>{};
  else {
    using given = std::remove_cvref_t<decltype(std::declval<const Aggregate&>().result())>;
    using result = unwrapped_result<given>;
    if constexpr (!is_scalar_field<typename result::value>())
      return fail<rule::user_aggregate_must_give_a_result, type<Aggregate>, type<given>>{};
    else
      return typed<typename result::value, result::nullable>{};
  }
}

/// What an aggregate of the user gives for values of these types, or why it cannot.
template <class Aggregate, class... Values>
constexpr auto judge_user_aggregate() {
  using state = decltype(judge_state<Aggregate, Aggregate>());
  if constexpr (!passed<state>)
    return state{};
  else if constexpr (!names_add<Aggregate>)
    return fail<rule::user_aggregate_must_add, type<Aggregate>>{};
  else if constexpr (!(is_scalar_field<Values>() && ...) || !adds_values<Aggregate, Values...>())
    return fail<rule::user_aggregate_must_take_its_values, type<Aggregate>, type<Values>...>{};
  else if constexpr (!requires(Aggregate& into, const Aggregate& other) { into.merge(other); })
    return fail<rule::user_aggregate_must_merge, type<Aggregate>>{};
  else
    return judge_result_of<Aggregate>();
}

template <class Aggregate, class... E, class Row>
struct inference<aggregate_call<aggregate_function::aggregated_by, values_for<Aggregate, E...>>, Row> {
  static constexpr auto pick() {
    using values = first_failure<inferred<E, Row>...>;
    if constexpr (passed<values>)
      return judge_user_aggregate<Aggregate, typename inferred<E, Row>::value...>();
    else
      return values{};
  }
  using type = decltype(pick());
};

/// The type of the arguments of an aggregate of the user, for the kernel.
template <class Aggregate, class... Values>
struct given_values {};

template <class Aggregate, class... E, class Row>
struct inference<values_for<Aggregate, E...>, Row> {
  static constexpr auto pick() {
    using values = first_failure<inferred<E, Row>...>;
    if constexpr (passed<values>)
      return typed<given_values<Aggregate, typename inferred<E, Row>::value...>, (inferred<E, Row>::nullable || ...)>{};
    else
      return values{};
  }
  using type = decltype(pick());
};

}  // namespace detail
}  // namespace etlantic
