#pragma once
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/window.hpp>

namespace etlantic {

template <class Row>
struct accept_late_operator {
  using accept_tag = void;
  using row_type = Row;
  duration delay;
  Row row;
};

struct accept_late_step {
  using step_tag = void;
  duration delay;
};

/// Behind a window: rows that come after the watermark has closed it are taken for so long, and the corrected result
/// replaces the one before in the target: `tumbling<"time">(1h) | accept_late(30min)`. The watermark stays as it is, so
/// that nothing else waits longer. The window's state is kept until the watermark is that far behind its end; what
/// comes then is late. Needs update mode, in which results can be replaced.
constexpr accept_late_step accept_late(duration delay) { return {delay}; }
constexpr accept_late_step accept_late(CalendarLength auto delay) { return {fixed_length(delay)}; }

namespace detail {

template <class T>
concept AcceptLateOperator = requires { typename T::accept_tag; };

template <class In>
constexpr auto judge_accept_late() {
  if constexpr (chain<In>.window < 0 || chain<In>.watermark < 0)
    return fail<rule::accept_late_needs_a_window, type<typename contract_behind<typename In::row_type>::type>>{};
  else if constexpr (SessionOperator<operator_at<In, chain<In>.window>>)
    return fail<rule::accept_late_needs_a_window, type<typename contract_behind<typename In::row_type>::type>>{};
  else
    return pass{};
}

}  // namespace detail

template <Stream In>
constexpr auto attach(const In& in, const accept_late_step& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_accept_late<In>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, accept_late_operator<Row>{step.delay, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
