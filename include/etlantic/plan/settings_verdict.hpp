#pragma once
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/graph/accept_late.hpp>
#include <etlantic/graph/calendar_window.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/lag.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/session.hpp>
#include <etlantic/graph/sliding.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/plan/wiring_verdict.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

// The values of a pipeline's settings, known when its parameters are constants.

namespace etlantic {

enum class setting_problem {
  none,
  window_length,
  window_offset,
  window_slide,
  window_gap,
  window_slide_offset,
  session_gap,
  accepted_lateness,
  watermark_delay,
  join_range,
  lag_memory
};

constexpr std::string_view sentence_of(setting_problem problem) {
  constexpr std::string_view sentences[] = {
      "",
      "the length of a window must be greater than zero",
      "the offset of a window must be less than its length, in either direction",
      "the slide of a window must be greater than zero",
      "the slide of a window must not be greater than its length: rows between windows would vanish",
      "the offset of a sliding window must be less than its slide, in either direction",
      "the gap of a session must be greater than zero",
      "the time for which late rows are accepted must be greater than zero",
      "the delay of a watermark must not be negative",
      "no time lies within the bounds of this join",
      "the time after which lag forgets must be greater than zero"};
  return sentences[static_cast<int>(problem)];
}

namespace detail {

/// A gap that is computed for each row is positive or leaves its row out.
template <class Gap>
constexpr bool can_be_gap(const Gap&) {
  return true;
}
template <class T>
constexpr bool can_be_gap(const literal<T>& gap) {
  return gap.value > T{0};
}

template <class Operator>
constexpr setting_problem judge_operator(const Operator& of) {
  if constexpr (SessionOperator<Operator>) {
    if (!can_be_gap(of.gap)) return setting_problem::session_gap;
  } else if constexpr (WindowOperator<Operator> && !CalendarOperator<Operator>) {
    if (of.length <= duration::zero()) return setting_problem::window_length;
    if constexpr (SlidingOperator<Operator>) {
      if (of.slide <= duration::zero()) return setting_problem::window_slide;
      if (of.slide > of.length) return setting_problem::window_gap;
      if (of.offset >= of.slide || of.offset <= -of.slide) return setting_problem::window_slide_offset;
    } else if (of.offset >= of.length || of.offset <= -of.length)
      return setting_problem::window_offset;
  }
  if constexpr (AcceptLateOperator<Operator>)
    if (of.delay <= duration::zero()) return setting_problem::accepted_lateness;
  if constexpr (requires { typename Operator::lag_tag; })
    if (Operator::memory == lag_memory::for_a_time && of.forgotten_after <= duration::zero())
      return setting_problem::lag_memory;
  if constexpr (DeclaredWatermark<Operator>)
    if (of.delay < duration::zero()) return setting_problem::watermark_delay;
  return setting_problem::none;
}

constexpr setting_problem judge_join_setting(const range_rule& of) {
  const duration first = of.least.distance + duration{!of.least.inclusive};
  const duration last = of.greatest.distance - duration{!of.greatest.inclusive};
  return first > last ? setting_problem::join_range : setting_problem::none;
}
constexpr setting_problem judge_join_setting(const same_window_rule& of) {
  if (of.length <= duration::zero()) return setting_problem::window_length;
  if (of.offset >= of.length || of.offset <= -of.length) return setting_problem::window_offset;
  return setting_problem::none;
}
constexpr setting_problem judge_join_setting(const auto&) { return setting_problem::none; }

/// What is not a stream was reported where it happened.
constexpr setting_problem judge_settings(const auto&) { return setting_problem::none; }

template <class C, class... Parts>
constexpr setting_problem judge_settings(const union_source<C, Parts...>& of);
template <JoinSource Source>
constexpr setting_problem judge_settings(const Source& of);

/// The first setting of a stream that cannot work.
template <class Source, class Row, class... Operators>
constexpr setting_problem judge_settings(const stream<Source, Row, Operators...>& chain) {
  setting_problem found = judge_settings(chain.source);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((found = found == setting_problem::none ? judge_operator(boost::hana::at_c<I>(chain.operators)) : found), ...);
  }(std::index_sequence_for<Operators...>{});
  return found;
}
template <class C, class... Parts>
constexpr setting_problem judge_settings(const union_source<C, Parts...>& of) {
  setting_problem found = setting_problem::none;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((found = found == setting_problem::none ? judge_settings(boost::hana::at_c<I>(of.parts)) : found), ...);
  }(std::index_sequence_for<Parts...>{});
  return found;
}
template <JoinSource Source>
constexpr setting_problem judge_settings(const Source& of) {
  for (setting_problem each :
       {judge_settings(of.left_stream), judge_settings(of.right_stream), judge_join_setting(of.time)})
    if (each != setting_problem::none) return each;
  return setting_problem::none;
}
template <class... Assignments>
constexpr setting_problem judge_settings(const output_streams<Assignments...>& of) {
  setting_problem found = setting_problem::none;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((found = found == setting_problem::none ? judge_settings(boost::hana::at_c<I>(of.streams).value) : found), ...);
  }(std::index_sequence_for<Assignments...>{});
  return found;
}

template <class Node>
inline constexpr bool is_step = false;
template <class T, fixed_string... From>
inline constexpr bool is_step<step<T, From...>> = true;

template <class Pipeline, std::size_t Node>
constexpr setting_problem problem_of_step() {
  if constexpr (is_step<member_type<Pipeline, Node>>) {
    Pipeline pipeline{};
    return judge_settings(implementation_of(member<Node>(pipeline).with));
  } else
    return setting_problem::none;
}

// Parameters that are not constants (or an `implement` that is not constexpr) are judged when the pipeline is lowered.
template <class Pipeline, std::size_t Node>
concept HasConstantSettings = requires { std::bool_constant<(problem_of_step<Pipeline, Node>(), true)>{}; };

template <class Pipeline, std::size_t Node>
constexpr auto judge_constant_settings() {
  if constexpr (!HasConstantSettings<Pipeline, Node>)
    return pass{};
  else {
    constexpr setting_problem problem = problem_of_step<Pipeline, Node>();
    using who = node_culprit<Pipeline, Node>;
    if constexpr (problem == setting_problem::window_length)
      return fail<rule::window_length_must_be_positive, who>{};
    else if constexpr (problem == setting_problem::window_offset)
      return fail<rule::window_offset_must_be_less_than_its_length, who>{};
    else if constexpr (problem == setting_problem::window_slide)
      return fail<rule::window_slide_must_be_positive, who>{};
    else if constexpr (problem == setting_problem::window_gap)
      return fail<rule::window_slide_must_not_exceed_its_length, who>{};
    else if constexpr (problem == setting_problem::window_slide_offset)
      return fail<rule::window_offset_must_be_less_than_its_slide, who>{};
    else if constexpr (problem == setting_problem::session_gap)
      return fail<rule::session_gap_must_be_positive, who>{};
    else if constexpr (problem == setting_problem::accepted_lateness)
      return fail<rule::accepted_lateness_must_be_positive, who>{};
    else if constexpr (problem == setting_problem::watermark_delay)
      return fail<rule::watermark_delay_must_not_be_negative, who>{};
    else if constexpr (problem == setting_problem::join_range)
      return fail<rule::join_range_must_not_be_empty, who>{};
    else if constexpr (problem == setting_problem::lag_memory)
      return fail<rule::lag_memory_must_be_positive, who>{};
    else
      return pass{};
  }
}

template <class Pipeline>
constexpr auto judge_all_settings() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return first_failure<decltype(judge_constant_settings<Pipeline, I>())...>{};
  }(std::make_index_sequence<member_count<Pipeline>>{});
}

}  // namespace detail
}  // namespace etlantic
