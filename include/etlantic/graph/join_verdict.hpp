#pragma once
#include <etlantic/expression/infer_joined.hpp>
#include <etlantic/graph/join_time.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>

#include <type_traits>

// Whether two streams can be joined: what the sides are, their keys, the bound of times, and the event times.

namespace etlantic {

/// What joins without a further condition have in its place.
struct no_condition {};

namespace detail {

template <class Source>
inline constexpr bool is_port_source = false;
template <class C>
inline constexpr bool is_port_source<port_source<C>> = true;

template <class S>
struct keeps_rows_as_they_are;
template <class Source, class Row, class... Operators>
struct keeps_rows_as_they_are<stream<Source, Row, Operators...>>
    : std::bool_constant<!((StatefulOperator<Operators> || WindowOperator<Operators> || GroupOperator<Operators>) ||
                           ...)> {};

template <class S>
constexpr auto judge_join_side() {
  if constexpr (std::is_same_v<S, poisoned>)
    return poisoned{};
  else if constexpr (!Stream<S>)
    return fail<rule::join_takes_streams_of_inputs, type<S>>{};
  else if constexpr (is_reference_source<typename S::source_type>)
    return fail<rule::reference_must_be_looked_up, type<typename contract_behind<typename S::row_type>::type>>{};
  else if constexpr (!is_port_source<typename S::source_type> || !keeps_rows_as_they_are<S>::value)
    return fail<rule::join_takes_streams_of_inputs, type<typename contract_behind<typename S::row_type>::type>>{};
  else
    return pass{};
}

template <class T>
inline constexpr bool is_key_type =
    field_traits<T>::logical != logical_type::structure && field_traits<T>::logical != logical_type::list;

template <class L, class R, class Key>
constexpr auto judge_key_pair() {
  using of_left = inferred<field_reference<Key::left_name>, typename L::row_type>;
  using of_right = inferred<field_reference<Key::right_name>, typename R::row_type>;
  using found = first_failure<of_left, of_right>;
  if constexpr (!passed<found>)
    return found{};
  else if constexpr (!std::is_same_v<typename of_left::value, typename of_right::value> ||
                     !is_key_type<typename of_left::value>)
    return fail<rule::join_keys_must_have_one_type, called<Key::left_name>, type<typename of_left::value>,
                called<Key::right_name>, type<typename of_right::value>>{};
  else
    return pass{};
}

template <class Key>
inline constexpr bool is_key_pair = false;
template <fixed_string Left, fixed_string Right>
inline constexpr bool is_key_pair<key_pair<Left, Right>> = true;

template <class L, class R, class Key>
constexpr auto judge_join_key() {
  if constexpr (!is_key_pair<Key>)
    return fail<rule::join_keys_must_be_equal_fields, type<Key>>{};
  else
    return judge_key_pair<L, R, Key>();
}

template <class S>
using contract_of_stream = type<typename contract_behind<typename S::row_type>::type>;

/// Whether a field is still the one that it was in an earlier row of the chain.
template <class Row, class Earlier, fixed_string Name>
inline constexpr bool keeps_field = false;
template <class Row, fixed_string Name>
inline constexpr bool keeps_field<Row, Row, Name> = true;
template <class Row, fixed_string Added, class E, class Earlier, fixed_string Name>
  requires(!std::is_same_v<derived_row<Row, Added, E>, Earlier>)
inline constexpr bool keeps_field<derived_row<Row, Added, E>, Earlier, Name> =
    !(Added == Name) && keeps_field<Row, Earlier, Name>;
template <class Row, class C, class... Assignments, class Earlier, fixed_string Name>
  requires(!std::is_same_v<selected_row<Row, C, Assignments...>, Earlier>)
inline constexpr bool keeps_field<selected_row<Row, C, Assignments...>, Earlier, Name> =
    member_index<C>(Name.view()) < member_count<C> &&
    std::is_same_v<typename assigned_to<Name, Assignments...>::type, field_reference<Name>> &&
    keeps_field<Row, Earlier, Name>;

template <class S>
constexpr auto judge_event_time_of_side() {
  if constexpr (chain<S>.watermark < 0)
    return pass{};
  else {
    using declared = operator_at<S, chain<S>.watermark>;
    if constexpr (keeps_field<typename S::row_type, typename declared::row_type, declared::field>)
      return pass{};
    else
      return fail<rule::join_must_keep_the_event_time, contract_of_stream<S>, called<declared::field>>{};
  }
}

template <class L, class R, join_sort Sort, class Time>
constexpr auto judge_join_time() {
  if constexpr (!JoinTime<Time>)
    return fail<rule::join_needs_a_time_bound, contract_of_stream<L>, contract_of_stream<R>>{};
  else if constexpr (!Time::bounded) {
    if constexpr (Sort != join_sort::inner && Sort != join_sort::left_semi)
      return fail<rule::outer_join_needs_a_time_bound, contract_of_stream<L>, contract_of_stream<R>>{};
    else
      return pass{};
  } else if constexpr (chain<L>.watermark < 0)
    return fail<rule::join_needs_watermarks, contract_of_stream<L>>{};
  else if constexpr (chain<R>.watermark < 0)
    return fail<rule::join_needs_watermarks, contract_of_stream<R>>{};
  else
    return pass{};
}

template <class Row, class Condition>
constexpr auto judge_matched_condition() {
  if constexpr (std::is_same_v<Condition, no_condition>)
    return pass{};
  else
    return predicate_verdict<Condition, Row>{};
}

/// The row of two rows that match: none of them is missing.
template <class L, class R, class... Keys>
using matched_row = joined_row<typename given_row<typename L::row_type>::type,
                               typename given_row<typename R::row_type>::type, join_sort::inner, Keys...>;

template <class L, class R, join_sort Sort, class Time, class Condition, class... Keys>
constexpr auto judge_join() {
  using sides = first_failure<decltype(judge_join_side<L>()), decltype(judge_join_side<R>())>;
  if constexpr (!passed<sides>)
    return sides{};
  else {
    using keys = first_failure<decltype(judge_join_key<L, R, Keys>())...>;
    if constexpr (!passed<keys>)
      return keys{};
    else
      return first_failure<decltype(judge_join_time<L, R, Sort, Time>()), decltype(judge_event_time_of_side<L>()),
                           decltype(judge_event_time_of_side<R>()),
                           decltype(judge_matched_condition<matched_row<L, R, Keys...>, Condition>())>{};
  }
}

}  // namespace detail
}  // namespace etlantic
