#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>

namespace etlantic {

template <fixed_string Field, class Row>
struct watermark_operator {
  using watermark_tag = void;
  using row_type = Row;
  static constexpr auto field = Field;
  duration delay;
  Row row;
};

template <fixed_string Field>
struct watermark_step {
  using step_tag = void;
  duration delay;
};

/// Declares the event time of a stream and how long to wait for rows out of order: the watermark is the greatest event
/// time seen minus `delay`. Rows removed by a filter do not move it, wherever the filter stands, unless it is a filter
/// on the event time itself behind the watermark.
template <fixed_string Field>
constexpr watermark_step<Field> watermark(duration delay) {
  return {delay};
}
template <fixed_string Field>
constexpr watermark_step<Field> watermark(CalendarLength auto delay) {
  return {fixed_length(delay)};
}

namespace detail {

template <class Row, fixed_string Field>
constexpr auto judge_event_time() {
  using found = inferred<field_reference<Field>, Row>;
  if constexpr (!passed<found>)
    return found{};
  else if constexpr (!std::is_same_v<typename found::value, timestamp>)
    return fail<rule::event_time_must_be_a_timestamp, type<typename contract_behind<Row>::type>, called<Field>,
                type<typename found::value>>{};
  else
    return pass{};
}

template <class In, fixed_string Field>
constexpr auto judge_watermark() {
  using event_time = decltype(judge_event_time<typename In::row_type, Field>());
  if constexpr (!passed<event_time>)
    return event_time{};
  else if constexpr (chain<In>.watermark >= 0)
    return fail<rule::watermark_must_be_declared_once, called<operator_at<In, chain<In>.watermark>::field>,
                called<Field>>{};
  else
    return pass{};
}

}  // namespace detail

/// Whether a field can be the event time of a row: it exists and is a timestamp.
template <class Row, fixed_string Field>
using event_time_verdict = decltype(detail::judge_event_time<Row, Field>());

template <Stream In, fixed_string Field>
constexpr auto attach(const In& in, const watermark_step<Field>& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_watermark<In, Field>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, watermark_operator<Field, Row>{step.delay, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
