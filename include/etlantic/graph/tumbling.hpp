#pragma once
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/watermark.hpp>

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

namespace detail {

template <class In, fixed_string Field>
constexpr auto judge_window() {
  using event_time = event_time_verdict<typename In::row_type, Field>;
  if constexpr (!passed<event_time>) return event_time{};
  else if constexpr (chain<In>.watermark >= 0) {
    if constexpr (operator_at<In, chain<In>.watermark>::field == Field) return pass{};
    else
      return fail<rule::window_must_use_the_watermark_field, called<Field>,
                  called<operator_at<In, chain<In>.watermark>::field>>{};
  } else return pass{};
}

}  // namespace detail

template <Stream In, fixed_string Field>
constexpr auto attach(const In& in, const tumbling_step<Field>& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_window<In, Field>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, tumbling_operator<Field, Row>{step.length, step.offset, in.row});
  else return poisoned{};
}

}  // namespace etlantic
