#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/graph/port_contracts.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/wiring.hpp>
#include <etlantic/plan/wiring_verdict.hpp>

#include <type_traits>
#include <utility>

// What loads need of the aggregations behind them.

namespace etlantic::detail {

/// Whether the state of the last aggregation of a stream is bounded: it has a window of the watermark's event time, or
/// the event time is one of its keys.
template <class Implementation>
struct delivery_facts {
  static constexpr bool aggregates = false;
  static constexpr bool bounded = true;
};
template <class Source, class Row, class... Operators>
struct delivery_facts<stream<Source, Row, Operators...>> {
  using chain_type = stream<Source, Row, Operators...>;
  // The last aggregate, and what holds in front of it.
  static constexpr int last = [] {
    int found = -1, at = 0;
    ((found = AggregateOperator<Operators> ? at : found, ++at), ...);
    return found;
  }();
  static constexpr bool aggregates = last >= 0;
  static constexpr chain_facts before = [] {
    chain_facts facts{}, kept{};
    int at = 0;
    const auto look = [&]<class Operator>(std::type_identity<Operator>) {
      if constexpr (AggregateOperator<Operator>) {
        kept = facts;
        facts = {at + 1, -1, -1, -1};
      }
      if constexpr (WatermarkOperator<Operator>) facts.watermark = at;
      if constexpr (WindowOperator<Operator>) facts.window = at;
      if constexpr (GroupOperator<Operator>) facts.group = at;
      ++at;
    };
    (look(std::type_identity<Operators>{}), ...);
    static_cast<void>(look);
    return kept;
  }();
  static constexpr bool groups_by_event_time() {
    if constexpr (before.watermark >= 0 && before.group >= 0) {
      for (std::string_view name : operator_at<chain_type, before.group>::names)
        if (name == operator_at<chain_type, before.watermark>::field.view()) return true;
    }
    return false;
  }
  static constexpr bool bounded = !aggregates || (before.watermark >= 0 && (before.window >= 0 || groups_by_event_time()));
};

template <class Pipeline, std::size_t Load>
struct load_source {
  static constexpr edge_fact edge = [] {
    for (const edge_fact& each : wiring<Pipeline>::edges)
      if (each.reader == static_cast<int>(Load)) return each;
    return edge_fact{};
  }();
  using producer = member_type<Pipeline, static_cast<std::size_t>(edge.producer)>;
};

template <class Node, std::size_t Port>
struct stream_behind {
  using type = void;
};
template <class T, fixed_string... From, std::size_t Port>
  requires(Port < ports_of<T, false>::count)
struct stream_behind<step<T, From...>, Port> {
  using type = std::remove_cvref_t<decltype(stream_of_port<implementation_type<T>, Port, T>(
      std::declval<const implementation_type<T>&>()))>;
};

/// What is known of a load: its stream's facts, and the output mode that holds for it.
template <class Pipeline, std::size_t Load>
struct load_facts {
  using source = load_source<Pipeline, Load>;
  using traits = node_traits<member_type<Pipeline, Load>>;
  using facts = delivery_facts<
      typename stream_behind<typename source::producer, static_cast<std::size_t>(source::edge.port)>::type>;
  static constexpr bool has_key = key_names_of<input_contract<member_type<Pipeline, Load>, 0>>.size() != 0;
  static constexpr output_mode mode = traits::has_mode                  ? traits::mode
                                      : facts::aggregates && has_key ? output_mode::update
                                                                     : output_mode::append;
};

template <class Pipeline, std::size_t Node>
constexpr auto judge_load() {
  if constexpr (wiring<Pipeline>::nodes[Node].sort != node_sort::load) return pass{};
  else {
    using facts = load_facts<Pipeline, Node>;
    constexpr bool may_grow = facts::traits::has_mode && facts::mode != output_mode::append;
    if constexpr (!facts::facts::bounded && !may_grow)
      return fail<rule::append_needs_watermark, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else return pass{};
  }
}

template <class Pipeline, std::size_t First, std::size_t Second>
constexpr auto judge_two_loads() {
  if constexpr (First >= Second || wiring<Pipeline>::nodes[First].sort != node_sort::load ||
                wiring<Pipeline>::nodes[Second].sort != node_sort::load)
    return pass{};
  else {
    using first = load_facts<Pipeline, First>;
    using second = load_facts<Pipeline, Second>;
    if constexpr (first::source::edge.producer == second::source::edge.producer &&
                  first::source::edge.port == second::source::edge.port && first::mode != second::mode)
      return fail<rule::loads_of_one_result_must_agree, node_culprit<Pipeline, First>, node_culprit<Pipeline, Second>>{};
    else return pass{};
  }
}

template <class Pipeline, std::size_t Node, std::size_t... Others>
constexpr auto judge_loads_with(std::index_sequence<Others...>) {
  return first_failure<decltype(judge_two_loads<Pipeline, Node, Others>())...>{};
}

template <class Pipeline>
constexpr auto judge_delivery() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return first_failure<
        decltype(judge_load<Pipeline, I>())...,
        decltype(judge_loads_with<Pipeline, I>(std::make_index_sequence<member_count<Pipeline>>{}))...>{};
  }(std::make_index_sequence<member_count<Pipeline>>{});
}

}  // namespace etlantic::detail
