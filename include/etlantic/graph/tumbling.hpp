#pragma once
#include <etlantic/graph/window.hpp>

namespace etlantic {

template <fixed_string Field, class Row>
struct tumbling_operator {
  using window_tag = void;
  using row_type = Row;
  static constexpr auto field = Field;
  duration length;
  duration offset;
  Row row;
};

template <fixed_string Field>
struct tumbling_step {
  using step_tag = void;
  duration length;
  duration offset;
};

/// Windows [start, start + length) of event time that follow each other without gap, aligned to 1970-01-01T00:00:00Z
/// plus `offset`. The output contract receives `window_start` and `window_end` if it has fields of these names. Rows
/// without an event time belong to no window and count as filtered.
template <fixed_string Field>
constexpr tumbling_step<Field> tumbling(duration length, duration offset = {}) {
  return {length, offset};
}
template <fixed_string Field, class... Lengths>
  requires(CalendarLength<Lengths> || ...)
constexpr tumbling_step<Field> tumbling(const Lengths&... lengths) {
  return tumbling<Field>(fixed_length(lengths)...);
}

template <Stream In, fixed_string Field>
constexpr auto attach(const In& in, const tumbling_step<Field>& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_window<In, Field>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, tumbling_operator<Field, Row>{step.length, step.offset, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
