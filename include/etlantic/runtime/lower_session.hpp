#pragma once
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/session.hpp>
#include <etlantic/kernel/session_gap.hpp>
#include <etlantic/runtime/lower_aggregate.hpp>
#include <etlantic/runtime/lower_parts.hpp>
#include <etlantic/runtime/session_stage.hpp>
#include <etlantic/runtime/stage_place.hpp>

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

// From filters, a group, a session window and aggregates to the stage that runs them.

namespace etlantic::detail {

template <class S, int Window>
inline constexpr bool is_session = false;
template <class S, int Window>
  requires(Window >= 0)
inline constexpr bool is_session<S, Window> = SessionOperator<operator_at<S, Window>>;

inline kernel::fixed_gap bind_gap(const literal<duration>& gap, const auto&) { return {gap.value.count()}; }
template <class Gap, class Row>
auto bind_gap(const Gap& gap, const Row& row) {
  constexpr bool in_seconds = !std::is_same_v<typename inferred<Gap, Row>::value, duration>;
  auto node = kernel::bind(gap, row);
  return kernel::row_gap<decltype(node), in_seconds ? 1'000'000 : 1>(std::move(node));
}

/// States as they are, since sessions are merged and moved all the time.
template <class Packed>
struct full_states;
template <class... States>
struct full_states<hana::tuple<States...>> {
  using type = hana::tuple<typename States::full...>;
};

template <class S, int Begin, int Aggregate>
std::unique_ptr<stage> make_session_stage(const S& chain, const stage_place& place) {
  using facts = part_facts<S, Begin, Aggregate>;
  using Operator = operator_at<S, Aggregate>;
  using C = typename Operator::contract;
  using aggregates = aggregates_of<Operator>;
  using group = typename group_of<S, facts::group>::type;

  aggregate_settings settings;
  // A session comes out once, also where loads of other results are updated.
  settings.mode = place.mode == output_mode::complete ? output_mode::complete : output_mode::append;
  settings.late_by = facts::watermark >= 0 ? lateness::window : lateness::none;
  settings.has_watermark = facts::declares_watermark;
  settings.looks_for_union = facts::looks_for_union;
  settings.result = &schema_of<C>();
  settings.where = place.step;
  settings.late = facts::has_input_rows ? place.late : nullptr;
  settings.late_port = place.late_port;
  settings.invalid = place.invalid;
  settings.invalid_port = place.invalid_port;
  settings.most_bytes = place.most_bytes;
  if constexpr (facts::group >= 0) settings.identity = group::describe();
  for (std::string_view bound : {"window_start", "window_end"})
    settings.identity.push_back(field_describer<timestamp>::make(bound));

  const auto& window = operator_of<S, facts::window>(chain);
  auto time = bind_time<S, facts::watermark, facts::window>(chain);
  auto gap = bind_gap(window.gap, window.row);
  auto filters = bind_filters<S, Begin, Aggregate, facts::watermark>(chain);
  auto arguments = aggregates::bind(operator_of<S, Aggregate>(chain));
  auto keys = [&] {
    if constexpr (facts::group >= 0)
      return group::bind(operator_of<S, facts::group>(chain).row);
    else
      return hana::tuple<>{};
  }();
  using sessions = kernel::session_table<typename key_parts<decltype(keys)>::type,
                                         typename full_states<typename aggregates::states>::type>;
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> std::unique_ptr<stage> {
    using made = session_stage<decltype(time), decltype(gap), decltype(filters), decltype(keys), decltype(arguments),
                               sessions, decltype(aggregates::template field<group, I>())...>;
    return std::make_unique<made>(std::move(settings), std::move(time), std::move(gap), std::move(filters),
                                  std::move(keys), std::move(arguments));
  }(std::make_index_sequence<member_count<C>>{});
}

template <AggregateOperator Operator>
struct stage_maker<Operator> {
  template <class S, int Begin, int At>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    if constexpr (is_session<S, part_facts<S, Begin, At>::window>)
      return make_session_stage<S, Begin, At>(chain, place);
    else
      return make_aggregate_stage<S, Begin, At>(chain, place);
  }
};

}  // namespace etlantic::detail
