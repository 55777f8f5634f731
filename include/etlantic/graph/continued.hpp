#pragma once
#include <etlantic/expression/operators.hpp>
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/inherited_watermark.hpp>
#include <etlantic/graph/stream.hpp>

#include <chrono>
#include <string_view>
#include <type_traits>

// What follows an aggregation. Its results are final when the watermark has passed them, so they have an event time
// that follows the same watermark: of a window, its last microsecond; of a group by the event time, that time.

namespace etlantic::detail {

template <class Operator>
struct results_of;
template <class C, class Row, class... Assignments>
struct results_of<aggregate_operator<C, Row, Assignments...>> {
  using contract = C;

  static constexpr bool has(std::string_view name) { return member_index<C>(name) < member_count<C>; }
  /// Whether a field comes from the key or the window.
  static constexpr bool takes(std::string_view name) { return has(name) && assignment_index<Assignments...>(name) < 0; }
};

/// The event time of the results at the end of a stream; empty if they have none.
template <class S>
constexpr std::string_view event_time_of_results() {
  constexpr int count = static_cast<int>(facts_of_stream<S>::count);
  constexpr chain_facts facts = facts_of_stream<S>::without_last;
  if constexpr (facts.watermark < 0)
    return {};
  else {
    using results = results_of<operator_at<S, count - 1>>;
    if constexpr (facts.window >= 0)
      return results::takes("window_end") && !results::has("window_time") ? "window_time" : std::string_view{};
    else if constexpr (facts.group >= 0) {
      using group = operator_at<S, facts.group>;
      if constexpr (group::event_time_key >= 0) {
        constexpr std::string_view key = group::names[static_cast<std::size_t>(group::event_time_key)];
        return results::takes(key) ? key : std::string_view{};
      }
    }
    return {};
  }
}

template <class S>
struct event_time_name_of_results {
  static constexpr std::string_view get() { return event_time_of_results<S>(); }
};

template <class Row>
constexpr auto with_window_time(const Row& row) {
  constexpr auto last = field<"window_end"> - std::chrono::microseconds{1};
  return derived_row<Row, "window_time", std::remove_const_t<decltype(last)>>{row, last};
}

template <Stream S>
constexpr auto continued_results(const S& of) {
  constexpr std::string_view event_time = event_time_of_results<S>();
  if constexpr (event_time.empty())
    return of;
  else {
    const auto row = [&] {
      if constexpr (event_time == "window_time")
        return with_window_time(of.row);
      else
        return of.row;
    }();
    using Row = std::remove_const_t<decltype(row)>;
    return append_operator(of, row, inherited_watermark<fixed_from<event_time_name_of_results<S>>(), Row>{row});
  }
}

}  // namespace etlantic::detail
