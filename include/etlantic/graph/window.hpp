#pragma once
#include <etlantic/graph/event_time.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/watermark.hpp>

// What all windows ask of the stream they cut.

namespace etlantic::detail {

template <class T>
concept SlidingOperator = WindowOperator<T> && requires(const T& of) { of.slide; };

template <class T>
concept SessionOperator = WindowOperator<T> && requires { typename T::session_tag; };

template <class In, fixed_string Field>
constexpr auto judge_window() {
  using event_time = event_time_verdict<typename In::row_type, Field>;
  if constexpr (!passed<event_time>)
    return event_time{};
  else if constexpr (chain<In>.watermark >= 0) {
    if constexpr (is_event_time<In, Field>())
      return pass{};
    else
      return fail<rule::window_must_use_the_watermark_field, called<Field>,
                  called<operator_at<In, chain<In>.watermark>::field>>{};
  } else
    return pass{};
}

}  // namespace etlantic::detail
