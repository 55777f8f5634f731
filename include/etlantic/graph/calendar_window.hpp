#pragma once
#include <etlantic/core/calendar_period.hpp>
#include <etlantic/core/zone_name.hpp>
#include <etlantic/graph/window.hpp>

namespace etlantic {

template <fixed_string Zone>
struct zone_choice {};

/// The time zone in which a calendar is meant.
template <fixed_string Zone>
inline constexpr zone_choice<Zone> in_zone{};

template <fixed_string Field, fixed_string Zone, class Row>
struct calendar_operator {
  using window_tag = void;
  using calendar_tag = void;
  using row_type = Row;
  static constexpr auto field = Field;
  static constexpr auto zone = Zone;
  calendar_period period;
  Row row;
};

template <fixed_string Field, fixed_string Zone>
struct calendar_step {
  using step_tag = void;
  calendar_period period;
};

/// Windows that are periods of the calendar and follow each other without gap: `tumbling<"time">(calendar::month)`, in
/// UTC; `tumbling<"time">(calendar::day, in_zone<"Europe/Berlin">)` from midnight to midnight there, of 23 or 25 hours
/// where the clocks change. Weeks start on Monday unless told: `calendar::week.starting(std::chrono::Sunday)`. All else
/// is as with windows of a fixed length. A zone that the system does not have is refused when the pipeline starts.
template <fixed_string Field>
constexpr calendar_step<Field, "UTC"> tumbling(calendar_period period) {
  return {period};
}
template <fixed_string Field, fixed_string Zone>
constexpr calendar_step<Field, Zone> tumbling(calendar_period period, zone_choice<Zone>) {
  return {period};
}

namespace detail {

template <class T>
concept CalendarOperator = WindowOperator<T> && requires { typename T::calendar_tag; };

template <class In, fixed_string Field, fixed_string Zone>
constexpr auto judge_calendar_window() {
  if constexpr (!is_zone_name(named_as<Zone>::name.view()))
    return fail<rule::window_must_name_a_zone, called<Zone>>{};
  else
    return judge_window<In, Field>();
}

}  // namespace detail

template <Stream In, fixed_string Field, fixed_string Zone>
constexpr auto attach(const In& in, const calendar_step<Field, Zone>& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_calendar_window<In, Field, Zone>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, in.row, calendar_operator<Field, Zone, Row>{step.period, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
