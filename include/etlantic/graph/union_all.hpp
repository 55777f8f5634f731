#pragma once
#include <etlantic/core/culprit.hpp>
#include <etlantic/graph/event_time.hpp>
#include <etlantic/graph/inherited_watermark.hpp>
#include <etlantic/graph/result_verdict.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic {

/// Where a stream of the rows of several streams starts.
template <class C, class... Parts>
struct union_source {
  using contract = C;
  using union_tag = void;
  boost::hana::tuple<Parts...> parts;
};

namespace detail {

template <class Source>
inline constexpr bool starts_at_one_input = false;
template <class C>
inline constexpr bool starts_at_one_input<port_source<C>> = true;
template <class C>
inline constexpr bool starts_at_one_input<asset_source<C>> = true;

template <class S>
struct union_part;
template <class Source, class Row, class... Operators>
struct union_part<stream<Source, Row, Operators...>> {
  using contract = typename contract_behind<Row>::type;
  static constexpr int watermark = chain<stream<Source, Row, Operators...>>.watermark;
  static constexpr bool keeps_state = (StatefulOperator<Operators> || ...) || !starts_at_one_input<Source>;

  static constexpr std::string_view event_time() {
    if constexpr (watermark < 0)
      return {};
    else
      return operator_at<stream<Source, Row, Operators...>, watermark>::field.view();
  }
  /// Whether the rows still have their event time where the stream ends.
  static constexpr bool keeps_event_time() {
    if constexpr (watermark < 0)
      return true;
    else {
      using S = stream<Source, Row, Operators...>;
      return is_event_time<S, operator_at<S, watermark>::field>();
    }
  }
};

template <class First, class Part>
constexpr auto judge_union_part() {
  using C = typename union_part<First>::contract;
  using found = result_verdict<Part>;
  if constexpr (!passed<found>)
    return found{};
  else if constexpr (is_reference_source<typename Part::source_type>)
    return fail<rule::reference_must_be_looked_up, type<typename union_part<Part>::contract>>{};
  else if constexpr (union_part<Part>::keeps_state)
    return fail<rule::union_part_must_keep_no_state, type<typename union_part<Part>::contract>>{};
  else if constexpr (!std::is_same_v<typename union_part<Part>::contract, C>)
    return fail<rule::union_must_have_one_contract, type<C>, type<typename union_part<Part>::contract>>{};
  else if constexpr (union_part<Part>::event_time() != union_part<First>::event_time() ||
                     (union_part<Part>::watermark >= 0 &&
                      (member_index<C>(union_part<Part>::event_time()) >= member_count<C> ||
                       !union_part<Part>::keeps_event_time())))
    return fail<rule::union_must_have_one_event_time, type<C>>{};
  else
    return pass{};
}

template <class First, class... Rest>
constexpr auto judge_union() {
  return first_failure<decltype(judge_union_part<First, First>()), decltype(judge_union_part<First, Rest>())...>{};
}

template <class S>
struct event_time_of_part {
  static constexpr std::string_view get() { return union_part<S>::event_time(); }
};

template <class First, class... Rest>
constexpr auto make_union(const First& first, const Rest&... rest) {
  using found = decltype(judge_union<First, Rest...>());
  enforce(found{});
  if constexpr (!passed<found>)
    return poisoned{};
  else {
    using C = typename union_part<First>::contract;
    stream<union_source<C, First, Rest...>, contract_row<C>> made{{{first, rest...}}, {}, {}};
    if constexpr (union_part<First>::watermark < 0)
      return made;
    else
      return append_operator(made, made.row,
                             inherited_watermark<fixed_from<event_time_of_part<First>>(), contract_row<C>>{made.row});
  }
}

}  // namespace detail

/// The rows of several streams of one contract, as UNION ALL gives them: none is left out, and within a batch those of
/// the first stream come first, then those of the second, and so on. Each stream has a watermark on the same field or
/// none has; the union then has that event time, and the smallest of their watermarks governs (or the greatest, by the
/// profile's `watermark_policy`): `union_all(t.web | watermark<"time">(10s), t.shop | watermark<"time">(1min)) | ...`
template <StreamLike First, StreamLike... Rest>
constexpr auto union_all(const First& first, const Rest&... rest) {
  if constexpr ((std::is_same_v<std::remove_cvref_t<decltype(as_stream(rest))>, poisoned> || ... ||
                 std::is_same_v<std::remove_cvref_t<decltype(as_stream(first))>, poisoned>))
    return poisoned{};
  else
    return detail::make_union(as_stream(first), as_stream(rest)...);
}
/// What is no stream was reported where it happened.
template <class... Parts>
  requires(std::is_same_v<Parts, poisoned> || ...)
constexpr poisoned union_all(const Parts&...) {
  return {};
}

}  // namespace etlantic
