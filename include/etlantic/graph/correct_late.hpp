#pragma once
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/window.hpp>

#include <type_traits>

namespace etlantic {

template <class Row>
struct correct_late_operator {
  using correct_tag = void;
  using row_type = Row;
  Row row;
};

struct correct_late_step {
  using step_tag = void;
};

/// Behind a window: what late rows would have changed is put right later. They are late as ever, but the checkpoint
/// keeps which windows they missed, and a correction run (`correct` on the command line, or `correct(program,
/// profile)`) computes these windows again from the whole input and replaces their results in the target:
/// `tumbling<"time">(1h) | correct_late()`. Needs rows as the extracts gave them, and a target that replaces by key.
constexpr correct_late_step correct_late() { return {}; }

namespace detail {

template <class T>
concept CorrectLateOperator = requires { typename T::correct_tag; };

template <class In>
struct reads_plain_rows : std::false_type {};
template <class Source, class Row, class... Operators>
struct reads_plain_rows<stream<Source, Row, Operators...>>
    : std::bool_constant<!JoinSource<Source> && !(StatefulOperator<Operators> || ...)> {};

template <class In>
constexpr auto judge_correct_late() {
  using broken =
      fail<rule::correct_late_needs_a_tumbling_window, type<typename contract_behind<typename In::row_type>::type>>;
  if constexpr (chain<In>.window < 0 || chain<In>.watermark < 0)
    return broken{};
  else if constexpr (SessionOperator<operator_at<In, chain<In>.window>> ||
                     SlidingOperator<operator_at<In, chain<In>.window>>)
    return broken{};
  else if constexpr (!reads_plain_rows<In>::value)
    return fail<rule::correct_late_needs_rows_of_extracts,
                type<typename contract_behind<typename In::row_type>::type>>{};
  else
    return pass{};
}

}  // namespace detail

template <Stream In>
constexpr auto attach(const In& in, const correct_late_step&) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_correct_late<In>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, correct_late_operator<Row>{in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
