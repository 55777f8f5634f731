#pragma once
#include <etlantic/graph/window.hpp>

namespace etlantic {

template <fixed_string Field, class Row>
struct sliding_operator {
  using window_tag = void;
  using row_type = Row;
  static constexpr auto field = Field;
  duration length;
  duration slide;
  duration offset;
  Row row;
};

template <fixed_string Field>
struct sliding_step {
  using step_tag = void;
  duration length;
  duration slide;
  duration offset;
};

/// Windows [start, start + length) of event time of which one begins every `slide`, aligned to 1970-01-01T00:00:00Z
/// plus `offset`. A row is in every window around its time, and late only if all of them are closed. The slide is at
/// most the length. The output contract receives `window_start` and `window_end` as with `tumbling`.
template <fixed_string Field>
constexpr sliding_step<Field> sliding(duration length, duration slide, duration offset = {}) {
  return {length, slide, offset};
}
template <fixed_string Field, class... Lengths>
  requires(CalendarLength<Lengths> || ...)
constexpr sliding_step<Field> sliding(const Lengths&... lengths) {
  return sliding<Field>(fixed_length(lengths)...);
}

template <Stream In, fixed_string Field>
constexpr auto attach(const In& in, const sliding_step<Field>& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_window<In, Field>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row,
                                   sliding_operator<Field, Row>{step.length, step.slide, step.offset, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
