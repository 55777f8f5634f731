#pragma once
#include <etlantic/expression/infer_joined.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/graph/join_time.hpp>
#include <etlantic/graph/ports.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace etlantic {

/// Names the rows of a join, which have no contract of their own.
template <class LeftContract, class RightContract>
struct rows_of_join {};

/// What joins without a further condition have in its place.
struct no_condition {};

/// Where a stream of joined rows starts.
template <class Left, class Right, join_sort Sort, class Time, class Condition, class... Keys>
struct join_source {
  using join_tag = void;
  using left_type = Left;
  using right_type = Right;
  using time_type = Time;
  using condition_type = Condition;
  using contract = rows_of_join<typename detail::given_row<typename Left::row_type>::contract,
                                typename detail::given_row<typename Right::row_type>::contract>;
  static constexpr join_sort sort = Sort;
  Left left_stream;
  Right right_stream;
  Time time;
  Condition condition;
};

template <class... Keys>
struct join_keys {
  using join_keys_tag = void;
};

/// Rows match where the fields of these names are equal on both sides. Null is equal to nothing.
template <fixed_string... Names>
inline constexpr join_keys<key_pair<Names, Names>...> on{};

namespace detail {

/// The fields that an equality compares; what is none stays what it is.
template <class E>
struct key_pair_of {
  using type = E;
};
template <fixed_string Left, fixed_string Right>
struct key_pair_of<binary_expression<operation::equal, side_reference<join_side::of_left, Left>,
                                     side_reference<join_side::of_right, Right>>> {
  using type = key_pair<Left, Right>;
};
template <fixed_string Left, fixed_string Right>
struct key_pair_of<binary_expression<operation::equal, side_reference<join_side::of_right, Right>,
                                     side_reference<join_side::of_left, Left>>> {
  using type = key_pair<Left, Right>;
};

template <class Condition>
struct matched_condition {
  using condition_tag = void;
  Condition predicate;
};

template <class T>
concept JoinKeys = requires { typename T::join_keys_tag; };
template <class T>
concept MatchedCondition = requires { typename T::condition_tag; };

}  // namespace detail

/// Keys whose names differ: `on_equal(left<"id"> == right<"order_id">)`.
template <class... Equalities>
constexpr auto on_equal(const Equalities&...) {
  return join_keys<typename detail::key_pair_of<Equalities>::type...>{};
}

/// A further condition of the join over fields of both sides. It is not a filter behind the join: in an outer join a
/// row for which it holds with no other row comes out without a match.
template <Operand Predicate>
constexpr auto where_matched(const Predicate& predicate) {
  return detail::matched_condition<expression_of<Predicate>>{as_expression(predicate)};
}

namespace detail {

// ---- verdicts -------------------------------------------------------------------------------------------------------

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
    if constexpr (Sort != join_sort::inner)
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

/// What a call says that has no rule of times.
struct no_time {};

/// What is said behind the keys: a rule of times, a condition, or both.
template <class... Options>
struct join_options;
template <>
struct join_options<> {
  using time = no_time;
  using condition = no_condition;
};
template <class Time>
struct join_options<Time> {
  using time = Time;
  using condition = no_condition;
};
template <class Condition>
struct join_options<matched_condition<Condition>> {
  using time = no_time;
  using condition = Condition;
};
template <class Time, class Condition>
struct join_options<Time, matched_condition<Condition>> {
  using time = Time;
  using condition = Condition;
};

template <class T>
constexpr decltype(auto) as_join_side(const T& side) {
  if constexpr (StreamLike<T>)
    return as_stream(side);
  else
    return side;
}
template <class T>
using join_side_type = std::remove_cvref_t<decltype(as_join_side(std::declval<const T&>()))>;

template <join_sort Sort, class L, class R, class Keys, class Options>
struct join_verdict_of;
template <join_sort Sort, class L, class R, class... Keys, class Options>
struct join_verdict_of<Sort, L, R, join_keys<Keys...>, Options> {
  using type = decltype(judge_join<join_side_type<L>, join_side_type<R>, Sort, typename Options::time,
                                   typename Options::condition, Keys...>());
};

template <join_sort Sort, class L, class R, class... Keys, JoinTime Time, class Condition>
constexpr auto make_join(const L& left_stream, const R& right_stream, const join_keys<Keys...>&, const Time& time,
                         const Condition& condition) {
  using left_given = given_row<typename L::row_type>;
  using right_given = given_row<typename R::row_type>;
  using Row = joined_row<typename left_given::type, typename right_given::type, Sort, Keys...>;
  return stream<join_source<L, R, Sort, Time, Condition, Keys...>, Row>{
      {left_stream, right_stream, time, condition},
      {left_given::of(left_stream.row), right_given::of(right_stream.row)},
      {}};
}
template <join_sort Sort, class L, class R, class Keys, JoinTime Time, class Condition>
constexpr auto join_streams(const L& left_side, const R& right_side, const Keys& keys, const Time& time,
                            const matched_condition<Condition>& condition) {
  return make_join<Sort>(as_join_side(left_side), as_join_side(right_side), keys, time, condition.predicate);
}
template <join_sort Sort, class L, class R, class Keys, JoinTime Time>
constexpr auto join_streams(const L& left_side, const R& right_side, const Keys& keys, const Time& time) {
  return make_join<Sort>(as_join_side(left_side), as_join_side(right_side), keys, time, no_condition{});
}

}  // namespace detail

/// Whether two streams can be joined in this way.
template <join_sort Sort, class L, class R, class Keys, class... Options>
using join_verdict = typename detail::join_verdict_of<Sort, L, R, Keys, detail::join_options<Options...>>::type;

/// Pairs of rows of two streams whose keys are equal and whose event times lie as told; a `select` behind it makes rows
/// of a contract of them. Rows come out when the second of them arrives, and are kept as long as the watermarks leave
/// it open whether a match comes:
///   inner_join(t.impressions | watermark<"shown_at">(10s), t.clicks | watermark<"clicked_at">(20s), on<"ad_id">,
///              within(0s, 1h), where_matched(right<"price"> > 0)) | select<Clicked>(...)
template <class L, class R, class Keys, class... Options>
constexpr auto inner_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  using found = join_verdict<join_sort::inner, L, R, Keys, Options...>;
  enforce(found{});
  if constexpr (passed<found>)
    return detail::join_streams<join_sort::inner>(left_side, right_side, keys, options...);
  else
    return poisoned{};
}

/// An inner join, and the rows of the left stream that have no match, once it is certain that none comes.
template <class L, class R, class Keys, class... Options>
constexpr auto left_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  using found = join_verdict<join_sort::left_outer, L, R, Keys, Options...>;
  enforce(found{});
  if constexpr (passed<found>)
    return detail::join_streams<join_sort::left_outer>(left_side, right_side, keys, options...);
  else
    return poisoned{};
}

/// An inner join, and the rows of the right stream that have no match, once it is certain that none comes.
template <class L, class R, class Keys, class... Options>
constexpr auto right_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  using found = join_verdict<join_sort::right_outer, L, R, Keys, Options...>;
  enforce(found{});
  if constexpr (passed<found>)
    return detail::join_streams<join_sort::right_outer>(left_side, right_side, keys, options...);
  else
    return poisoned{};
}

/// An inner join, and the rows of both streams that have no match, once it is certain that none comes.
template <class L, class R, class Keys, class... Options>
constexpr auto full_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  using found = join_verdict<join_sort::full_outer, L, R, Keys, Options...>;
  enforce(found{});
  if constexpr (passed<found>)
    return detail::join_streams<join_sort::full_outer>(left_side, right_side, keys, options...);
  else
    return poisoned{};
}

namespace detail {

/// Rows that were joined and not selected have no contract.
template <class L, class R, join_sort Sort, class... Keys>
struct contract_behind<joined_row<L, R, Sort, Keys...>> {
  using type = rows_of_join<typename given_row<L>::contract, typename given_row<R>::contract>;
};
template <class S>
inline constexpr bool is_join = false;
template <class Source, class Row, class... Operators>
inline constexpr bool is_join<stream<Source, Row, Operators...>> = JoinSource<Source>;

template <class C>
inline constexpr bool is_rows_of_join = false;
template <class L, class R>
inline constexpr bool is_rows_of_join<rows_of_join<L, R>> = true;

/// What stands behind a join: a select, and nothing that keeps state or asks for the time of rows.
template <class S>
struct joined_rows_verdict {
  using type = pass;
};
template <class Source, class Row, class... Operators>
  requires JoinSource<Source>
struct joined_rows_verdict<stream<Source, Row, Operators...>> {
  using contract = typename contract_behind<Row>::type;
  static constexpr auto judge() {
    if constexpr (((StatefulOperator<Operators> || WindowOperator<Operators> || GroupOperator<Operators> ||
                    WatermarkOperator<Operators>) ||
                   ...))
      return fail<rule::joined_rows_are_not_aggregated, etlantic::type<contract>>{};
    else if constexpr (is_rows_of_join<contract>)
      return fail<rule::join_must_be_selected, etlantic::type<contract>>{};
    else
      return pass{};
  }
  using type = decltype(judge());
};

}  // namespace detail
}  // namespace etlantic
