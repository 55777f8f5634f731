#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/port_contracts.hpp>
#include <etlantic/graph/wiring.hpp>
#include <etlantic/plan/delivery_facts.hpp>
#include <etlantic/plan/row_facts.hpp>
#include <etlantic/plan/wiring_verdict.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// What loads need of the aggregations behind them.

namespace etlantic::detail {

template <class Pipeline, std::size_t Load>
struct load_source {
  static constexpr edge_fact edge = [] {
    for (const edge_fact& each : wiring<Pipeline>::edges)
      if (each.reader == static_cast<int>(Load)) return each;
    return edge_fact{};
  }();
  using producer = member_type<Pipeline, static_cast<std::size_t>(edge.producer)>;
};

/// Whether a contract's primary key is made of these fields.
template <class C>
constexpr bool has_key_of(std::span<const std::string_view> names) {
  constexpr auto key = key_names_of<C>;
  if (key.size() != names.size()) return false;
  for (std::string_view name : names)
    if (std::find(key.begin(), key.end(), name) == key.end()) return false;
  return true;
}

template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr auto judge_aggregation() {
  using behind = typename stream_behind<member_type<Pipeline, Node>, Port>::type;
  using facts = delivery_facts<behind>;
  if constexpr (facts::recomputes && input_facts<Pipeline, Node>.kept)
    return fail<rule::correct_late_needs_rows_of_extracts, node_culprit<Pipeline, Node>,
                reads_culprit<Pipeline, Node, 0>>{};
  else if constexpr ((facts::keeps_state || is_join<behind>) &&
                     (input_facts<Pipeline, Node>.recomputed || !facts::ends_recomputed))
    return fail<rule::corrected_results_end_in_loads, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
  else if constexpr (is_join<behind> && input_facts<Pipeline, Node>.open)
    return fail<rule::join_needs_final_rows, node_culprit<Pipeline, Node>>{};
  else if constexpr (!facts::bounded_before_deduplication)
    return fail<rule::deduplication_needs_final_rows, node_culprit<Pipeline, Node>>{};
  else if constexpr (facts::deduplicates && input_facts<Pipeline, Node>.open)
    return fail<rule::deduplication_needs_final_rows, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
  else if constexpr (!facts::bounded_before_keyed)
    return fail<rule::keyed_rows_need_final_rows, node_culprit<Pipeline, Node>>{};
  else if constexpr (facts::keeps_rows && input_facts<Pipeline, Node>.open)
    return fail<rule::keyed_rows_need_final_rows, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
  else if constexpr (!facts::aggregates)
    return pass{};
  else if constexpr (!facts::bounded_before)
    return fail<rule::aggregation_needs_final_rows, node_culprit<Pipeline, Node>>{};
  else if constexpr (input_facts<Pipeline, Node>.open)
    return fail<rule::aggregation_needs_final_rows, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
  else
    return pass{};
}

template <class Pipeline, std::size_t Node>
constexpr auto judge_aggregations_of() {
  return []<std::size_t... Port>(std::index_sequence<Port...>) {
    return first_failure<decltype(judge_aggregation<Pipeline, Node, Port>())...>{};
  }(std::make_index_sequence<wiring<Pipeline>::nodes[Node].outputs.size()>{});
}

/// What is known of a load: its stream's facts, and the output mode that holds for it.
template <class Pipeline, std::size_t Load>
struct load_facts {
  using source = load_source<Pipeline, Load>;
  using stream_type =
      typename stream_behind<typename source::producer, static_cast<std::size_t>(source::edge.port)>::type;
  using facts = delivery_facts<stream_type>;
  using contract = input_contract<member_type<Pipeline, Load>, 0>;
  static constexpr bool has_key = key_names_of<contract>.size() != 0;
  static constexpr bool updates =
      (facts::keeps_results && !facts::gives_sessions) || !input_facts<Pipeline, Load>.newest_by.empty();
  using options = typename node_traits<member_type<Pipeline, Load>>::options;
  static constexpr output_mode mode = options::mode_of(updates, has_key);
};

template <class Pipeline, std::size_t Node>
constexpr auto judge_load() {
  if constexpr (wiring<Pipeline>::nodes[Node].sort != node_sort::load)
    return pass{};
  else {
    using facts = load_facts<Pipeline, Node>;
    constexpr bool may_grow = facts::options::has_mode && facts::mode != output_mode::append;
    constexpr const row_facts& rows = input_facts<Pipeline, Node>;
    if constexpr (facts::options::kind == target::keyed_table && !facts::has_key)
      return fail<rule::keyed_table_needs_a_primary_key, node_culprit<Pipeline, Node>>{};
    else if constexpr (facts::options::kind == target::append_only && facts::mode != output_mode::append)
      return fail<rule::append_only_target_takes_final_rows, node_culprit<Pipeline, Node>,
                  reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (rows.recomputed && (!facts::has_key || facts::mode == output_mode::complete ||
                                           facts::options::kind == target::append_only))
      return fail<rule::corrected_results_must_be_replaced, node_culprit<Pipeline, Node>,
                  reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (rows.origin == row_origin::joined && facts::mode != output_mode::append)
      return fail<rule::join_results_are_appended, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (!rows.newest_by.empty()) {
      if constexpr (facts::mode == output_mode::update && has_key_of<typename facts::contract>(rows.newest_by))
        return pass{};
      else
        return fail<rule::latest_rows_must_be_updated, node_culprit<Pipeline, Node>,
                    reads_culprit<Pipeline, Node, 0>>{};
    } else if constexpr (rows.origin == row_origin::kept_rows && facts::mode != output_mode::append)
      return fail<rule::keyed_rows_are_appended, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (rows.origin == row_origin::appended && facts::mode == output_mode::complete)
      return fail<rule::complete_mode_needs_an_aggregation, node_culprit<Pipeline, Node>,
                  reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (rows.sessions && facts::mode == output_mode::update)
      return fail<rule::session_must_not_be_updated, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (rows.corrections && facts::mode != output_mode::update)
      return fail<rule::accept_late_needs_update_mode, node_culprit<Pipeline, Node>,
                  reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (rows.corrections)
      return pass{};
    else if constexpr (rows.sessions && rows.open && !may_grow)
      return fail<rule::session_needs_watermark, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (rows.open && !may_grow)
      return fail<rule::append_needs_watermark, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else
      return pass{};
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
                  first::source::edge.port == second::source::edge.port && first::mode != second::mode &&
                  !std::is_same_v<typename first::stream_type, poisoned>)
      return fail<rule::loads_of_one_result_must_agree, node_culprit<Pipeline, First>,
                  node_culprit<Pipeline, Second>>{};
    else
      return pass{};
  }
}

template <class Pipeline, std::size_t Node, std::size_t... Others>
constexpr auto judge_loads_with(std::index_sequence<Others...>) {
  return first_failure<decltype(judge_two_loads<Pipeline, Node, Others>())...>{};
}

template <class Pipeline>
constexpr auto judge_delivery() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return first_failure<decltype(judge_aggregations_of<Pipeline, I>())..., decltype(judge_load<Pipeline, I>())...,
                         decltype(judge_loads_with<Pipeline, I>(
                             std::make_index_sequence<member_count<Pipeline>>{}))...>{};
  }(std::make_index_sequence<member_count<Pipeline>>{});
}

}  // namespace etlantic::detail
