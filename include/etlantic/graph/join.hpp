#pragma once
#include <etlantic/expression/infer_joined.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/graph/join_time.hpp>
#include <etlantic/graph/join_verdict.hpp>
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
  using Source = join_source<L, R, Sort, Time, Condition, Keys...>;
  const Source source{left_stream, right_stream, time, condition};
  if constexpr (gives_left_rows(Sort))
    return stream<Source, typename left_given::type>{source, left_given::of(left_stream.row), {}};
  else
    return stream<Source, joined_row<typename left_given::type, typename right_given::type, Sort, Keys...>>{
        source, {left_given::of(left_stream.row), right_given::of(right_stream.row)}, {}};
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

namespace detail {

template <join_sort Sort, class L, class R, class Keys, class... Options>
constexpr auto checked_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  using found = join_verdict<Sort, L, R, Keys, Options...>;
  enforce(found{});
  if constexpr (passed<found>)
    return join_streams<Sort>(left_side, right_side, keys, options...);
  else
    return poisoned{};
}

}  // namespace detail

/// Pairs of rows of two streams whose keys are equal and whose event times lie as told; a `select` behind it makes rows
/// of a contract of them. Rows come out when the second of them arrives, and are kept as long as the watermarks leave
/// it open whether a match comes:
///   inner_join(t.impressions | watermark<"shown_at">(10s), t.clicks | watermark<"clicked_at">(20s), on<"ad_id">,
///              within(0s, 1h), where_matched(right<"price"> > 0)) | select<Clicked>(...)
template <class L, class R, class Keys, class... Options>
constexpr auto inner_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  return detail::checked_join<join_sort::inner>(left_side, right_side, keys, options...);
}

/// An inner join, and the rows of the left stream that have no match, once it is certain that none comes.
template <class L, class R, class Keys, class... Options>
constexpr auto left_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  return detail::checked_join<join_sort::left_outer>(left_side, right_side, keys, options...);
}

/// An inner join, and the rows of the right stream that have no match, once it is certain that none comes.
template <class L, class R, class Keys, class... Options>
constexpr auto right_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  return detail::checked_join<join_sort::right_outer>(left_side, right_side, keys, options...);
}

/// An inner join, and the rows of both streams that have no match, once it is certain that none comes.
template <class L, class R, class Keys, class... Options>
constexpr auto full_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  return detail::checked_join<join_sort::full_outer>(left_side, right_side, keys, options...);
}

/// The rows of the left stream that have a match, each of them once, when its first match comes: rows of their own
/// contract, so that no `select` is needed.
///   semi_join(t.orders | watermark<"ordered_at">(1min), t.payments | watermark<"paid_at">(1min), on<"order_id">,
///             within(0s, 1h))
template <class L, class R, class Keys, class... Options>
constexpr auto semi_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  return detail::checked_join<join_sort::left_semi>(left_side, right_side, keys, options...);
}

/// The rows of the left stream that have no match, once it is certain that none comes.
template <class L, class R, class Keys, class... Options>
constexpr auto anti_join(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  return detail::checked_join<join_sort::left_anti>(left_side, right_side, keys, options...);
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
