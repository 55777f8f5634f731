#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/graph/window.hpp>

#include <type_traits>

namespace etlantic {

template <fixed_string Field, class Gap, class Row>
struct session_operator {
  using window_tag = void;
  using session_tag = void;
  using row_type = Row;
  static constexpr auto field = Field;
  Gap gap;
  Row row;
};

template <fixed_string Field, class Gap>
struct session_step {
  using step_tag = void;
  Gap gap;
};

/// Sessions of event time. A row's own session is [time, time + gap); those of one key that overlap or touch are one
/// session, with all their rows. The gap is a duration, `session<"time">(30s)`, or an expression that gives one for
/// each row, where a number is one of seconds: `session<"time">(field<"timeout">)`. Rows without an event time, and
/// rows whose gap is null, zero or negative, belong to no session and count as filtered; the latter still move the
/// watermark. The output contract receives `window_start` and `window_end` as with `tumbling`.
///
/// A row is late if its own session's end is not behind the watermark, whatever sessions are open. In append mode a
/// session comes out once, when the watermark has reached its end; update mode is refused.
template <fixed_string Field, Operand Gap>
constexpr auto session(const Gap& gap) {
  return session_step<Field, expression_of<Gap>>{as_expression(gap)};
}

namespace detail {

template <class Row, class Gap>
constexpr auto judge_session_gap() {
  using found = inferred<Gap, Row>;
  if constexpr (!passed<found>)
    return found{};
  else if constexpr (!std::is_same_v<typename found::value, duration> && !is_integer<typename found::value>)
    return fail<rule::session_gap_must_be_a_duration, type<typename found::value>, Gap>{};
  else
    return pass{};
}

}  // namespace detail

template <Stream In, fixed_string Field, class Gap>
constexpr auto attach(const In& in, const session_step<Field, Gap>& step) {
  using Row = typename In::row_type;
  using found =
      first_failure<decltype(detail::judge_window<In, Field>()), decltype(detail::judge_session_gap<Row, Gap>())>;
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, session_operator<Field, Gap, Row>{step.gap, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
