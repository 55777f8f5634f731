#pragma once
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/calendar_window.hpp>
#include <etlantic/graph/sliding.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/kernel/packed_state.hpp>
#include <etlantic/runtime/aggregate_stage.hpp>
#include <etlantic/runtime/lower_parts.hpp>
#include <etlantic/runtime/plain_windows.hpp>
#include <etlantic/runtime/sliding_windows.hpp>
#include <etlantic/runtime/stage_place.hpp>

#include <array>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// From filters, a group, a window and aggregates to the stage that runs them as one kernel.

namespace etlantic::detail {

template <fixed_string Field, class Row>
kernel::window_grid grid_of(const tumbling_operator<Field, Row>& of) {
  return {of.length.count(), of.length.count(), of.offset.count()};
}
template <fixed_string Field, class Row>
kernel::window_grid grid_of(const sliding_operator<Field, Row>& of) {
  return {of.length.count(), of.slide.count(), of.offset.count()};
}

/// Its zone was looked for when the pipeline was bound.
template <fixed_string Field, fixed_string Zone, class Row>
std::shared_ptr<kernel::calendar_grid> calendar_of(const calendar_operator<Field, Zone, Row>& of) {
  return std::make_shared<kernel::calendar_grid>(of.period, *find_time_zone(named_as<Zone>::name.view()).value());
}

/// How a stage makes windows of panes.
template <class S, int Window>
struct windows_of {
  template <class Table>
  using type = plain_windows<Table>;
};
template <class S, int Window>
  requires(Window >= 0 && SlidingOperator<operator_at<S, Window>>)
struct windows_of<S, Window> {
  template <class Table>
  using type = sliding_windows<Table>;
};

template <class Operator>
struct group_keys_of {
  template <class Row>
  static auto bind(const Row&) {
    return hana::tuple<>{};
  }
  static constexpr std::array<std::string_view, 0> names{};
};
template <class Row, int EventTimeKey, fixed_string... Names>
struct group_keys_of<group_operator<Row, EventTimeKey, Names...>> {
  static auto bind(const Row& row) {
    static_cast<void>(row);
    return hana::make_tuple(kernel::bind_field<Names>(row)...);
  }
  static std::vector<field_description> describe() {
    return {
        field_describer<typename inferred<field_reference<Names>, Row>::value>::make(named_as<Names>::name.view())...};
  }
  static constexpr std::array<std::string_view, sizeof...(Names)> names{named_as<Names>::name.view()...};
};

template <class S, int Group>
struct group_of {
  using type = group_keys_of<operator_at<S, Group>>;
};
template <class S>
struct group_of<S, -1> {
  using type = group_keys_of<void>;
};

template <class Nodes>
struct key_parts;
template <class... Nodes>
struct key_parts<hana::tuple<Nodes...>> {
  using type = hana::tuple<kernel::key_part<typename Nodes::value, Nodes::nullable>...>;
};

template <class Operator>
struct aggregates_of;
template <class C, class Row, class... Assignments>
struct aggregates_of<aggregate_operator<C, Row, Assignments...>> {
  template <class Assignment>
  using argument = inferred<typename Assignment::expression::argument, Row>;

  // A result that may be nothing is one that a later version of the pipeline can begin in groups that are there.
  using states = hana::tuple<typename kernel::packed_state_of<
      Assignments::expression::function, typename argument<Assignments>::value,
      argument<Assignments>::nullable || is_optional_field<C>(Assignments::name.view())>::type...>;

  static auto bind(const aggregate_operator<C, Row, Assignments...>& of) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return hana::make_tuple(kernel::bind(hana::at_c<I>(of.assignments).value.value, of.row)...);
    }(std::index_sequence_for<Assignments...>{});
  }

  /// Where field I of the result comes from.
  template <class Group, std::size_t I>
  static constexpr auto field() {
    constexpr std::string_view name = member_names<C>[I];
    constexpr int assigned = assignment_index<Assignments...>(name);
    constexpr std::size_t key = [] {
      std::size_t at = 0;
      while (at < Group::names.size() && Group::names[at] != member_names<C>[I]) ++at;
      return at;
    }();
    using value = field_value<C, I>;
    if constexpr (assigned >= 0)
      return result_field<result_origin::aggregate, static_cast<std::size_t>(assigned), value>{};
    else if constexpr (key < Group::names.size())
      return result_field<result_origin::key, key, value>{};
    else if constexpr (name == "window_start")
      return result_field<result_origin::window_start, 0, value>{};
    else
      return result_field<result_origin::window_end, 0, value>{};
  }
};

template <class S, int Begin, int Aggregate>
std::unique_ptr<stage> make_aggregate_stage(const S& chain, const stage_place& place) {
  using facts = part_facts<S, Begin, Aggregate>;
  using Operator = operator_at<S, Aggregate>;
  using C = typename Operator::contract;
  using aggregates = aggregates_of<Operator>;
  using group = typename group_of<S, facts::group>::type;

  aggregate_settings settings;
  settings.mode = place.mode;
  settings.result = &schema_of<C>();
  settings.where = place.step;
  settings.late = facts::has_input_rows ? place.late : nullptr;
  settings.late_port = place.late_port;
  settings.invalid = place.invalid;
  settings.invalid_port = place.invalid_port;
  settings.most_bytes = place.most_bytes;
  if constexpr (facts::group >= 0) settings.identity = group::describe();
  settings.has_watermark = facts::declares_watermark;
  settings.looks_for_union = facts::looks_for_union;
  if constexpr (facts::window >= 0) {
    const auto& window = operator_of<S, facts::window>(chain);
    if constexpr (CalendarOperator<operator_at<S, facts::window>>)
      settings.calendar = calendar_of(window);
    else
      settings.windows = grid_of(window);
    for (std::string_view bound : {"window_start", "window_end"})
      settings.identity.push_back(field_describer<timestamp>::make(bound));
  }
  if constexpr (facts::acceptance >= 0)
    settings.accepted_lateness = operator_of<S, facts::acceptance>(chain).delay.count();
  settings.corrects = facts::corrects;
  if constexpr (facts::watermark >= 0) {
    if constexpr (facts::window >= 0)
      settings.late_by = lateness::window;
    else if constexpr (facts::group >= 0) {
      constexpr int key = operator_at<S, facts::group>::event_time_key;
      if constexpr (key >= 0) {
        settings.late_by = lateness::row_time;
        settings.time_key = static_cast<std::size_t>(key);
      }
    }
  }

  auto time = bind_time<S, facts::watermark, facts::window>(chain);
  auto filters = bind_filters<S, Begin, Aggregate, facts::watermark>(chain);
  auto arguments = aggregates::bind(operator_of<S, Aggregate>(chain));
  auto keys = [&] {
    if constexpr (facts::group >= 0)
      return group::bind(operator_of<S, facts::group>(chain).row);
    else
      return hana::tuple<>{};
  }();
  using table = kernel::group_table<typename key_parts<decltype(keys)>::type, typename aggregates::states>;
  using windows = typename windows_of<S, facts::window>::template type<table>;
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> std::unique_ptr<stage> {
    using made = aggregate_stage<decltype(time), decltype(filters), decltype(keys), decltype(arguments), table, windows,
                                 decltype(aggregates::template field<group, I>())...>;
    return std::make_unique<made>(std::move(settings), std::move(time), std::move(filters), std::move(keys),
                                  std::move(arguments));
  }(std::make_index_sequence<member_count<C>>{});
}

}  // namespace etlantic::detail
