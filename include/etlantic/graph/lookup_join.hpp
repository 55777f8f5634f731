#pragma once
#include <etlantic/graph/join.hpp>

#include <type_traits>

namespace etlantic {

/// Stands where other joins have a rule of times: rows match a reference whatever their times.
struct looked_up_rule {
  using join_time_tag = void;
  using lookup_tag = void;
  static constexpr bool bounded = false;
};

namespace detail {

template <class Source>
inline constexpr bool is_lookup = false;
template <JoinSource Source>
  requires requires { typename Source::time_type::lookup_tag; }
inline constexpr bool is_lookup<Source> = true;

template <class S>
constexpr auto judge_looked_up() {
  if constexpr (std::is_same_v<S, poisoned>)
    return poisoned{};
  else if constexpr (!Stream<S>)
    return fail<rule::lookup_join_needs_a_reference, type<S>>{};
  else if constexpr (!is_reference_source<typename S::source_type> || !keeps_rows_as_they_are<S>::value)
    return fail<rule::lookup_join_needs_a_reference, contract_of_stream<S>>{};
  else
    return pass{};
}

template <class L, class R, class Options>
constexpr auto judge_lookup_times() {
  if constexpr (!std::is_same_v<typename Options::time, no_time>)
    return fail<rule::lookup_join_knows_no_times, contract_of_stream<L>, contract_of_stream<R>>{};
  else if constexpr (chain<L>.watermark >= 0)
    return fail<rule::lookup_join_knows_no_times, contract_of_stream<L>>{};
  else if constexpr (chain<R>.watermark >= 0)
    return fail<rule::lookup_join_knows_no_times, contract_of_stream<R>>{};
  else
    return pass{};
}

template <class L, class R, class Options, class... Keys>
constexpr auto judge_lookup() {
  using sides = first_failure<decltype(judge_join_side<L>()), decltype(judge_looked_up<R>())>;
  if constexpr (!passed<sides>)
    return sides{};
  else {
    using keys = first_failure<decltype(judge_join_key<L, R, Keys>())...>;
    if constexpr (!passed<keys>)
      return keys{};
    else
      return first_failure<
          decltype(judge_lookup_times<L, R, Options>()),
          decltype(judge_matched_condition<matched_row<L, R, Keys...>, typename Options::condition>())>{};
  }
}

template <class L, class R, class Keys, class Options>
struct lookup_verdict_of;
template <class L, class R, class... Keys, class Options>
struct lookup_verdict_of<L, R, join_keys<Keys...>, Options> {
  using type = decltype(judge_lookup<join_side_type<L>, join_side_type<R>, Options, Keys...>());
};

}  // namespace detail

/// Whether rows of a stream can be looked up in a reference in this way.
template <class L, class R, class Keys, class... Options>
using lookup_verdict = typename detail::lookup_verdict_of<L, R, Keys, detail::join_options<Options...>>::type;

namespace detail {

template <join_sort Sort, class L, class R, class Keys, class... Options>
constexpr auto checked_lookup(const L& left_side, const R& right_side, const Keys& keys, const Options&... options) {
  using found = lookup_verdict<L, R, Keys, Options...>;
  enforce(found{});
  if constexpr (passed<found>)
    return join_streams<Sort>(left_side, right_side, keys, looked_up_rule{}, options...);
  else
    return poisoned{};
}

}  // namespace detail

/// The rows of a stream with the rows of a reference that have the same key, one for each of them; a `select` behind it
/// makes rows of a contract of them. A row meets the version of the reference that its batch began with, and is not
/// corrected when the reference changes. Nothing is kept and no row is late:
///   lookup_join(t.orders, t.customers, on<"customer_id">, where_matched(right<"is_active">)) | select<Order>(...)
template <class L, class R, class Keys, class... Options>
constexpr auto lookup_join(const L& left_stream, const R& looked_up, const Keys& keys, const Options&... options) {
  return detail::checked_lookup<join_sort::inner>(left_stream, looked_up, keys, options...);
}

/// The same, and the rows of the stream that the reference has nothing for, with the reference's fields null.
template <class L, class R, class Keys, class... Options>
constexpr auto left_lookup_join(const L& left_stream, const R& looked_up, const Keys& keys, const Options&... options) {
  return detail::checked_lookup<join_sort::left_outer>(left_stream, looked_up, keys, options...);
}

}  // namespace etlantic
