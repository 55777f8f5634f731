#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/graph/accept_late.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/port_contracts.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/window.hpp>
#include <etlantic/graph/wiring.hpp>
#include <etlantic/plan/wiring_verdict.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// What loads need of the aggregations behind them.

namespace etlantic::detail {

/// The aggregations of a stream. The state of one is bounded, and its rows become final, if it has a window of the
/// watermark's event time, or the event time is one of its keys.
template <class Implementation>
struct delivery_facts {
  static constexpr bool aggregates = false;
  static constexpr bool bounded = true;
  static constexpr bool bounded_before = true;
  static constexpr bool gives_sessions = false;
  static constexpr bool corrects = false;
  static constexpr bool deduplicates = false;
  static constexpr bool bounded_before_deduplication = true;
  static constexpr bool keeps_state = false;
  static constexpr bool keeps_results = false;
  static constexpr bool keeps_rows = false;
  static constexpr bool bounded_before_keyed = true;
  static constexpr std::span<const std::string_view> newest_by{};
};
template <class Source, class Row, class... Operators>
struct delivery_facts<stream<Source, Row, Operators...>> {
  struct found {
    bool aggregates = false;
    bool last = true;
    bool all_before = true;
    bool sessions = false;
    bool corrects = false;
    bool deduplicates = false;
    bool before_deduplication = true;
    bool keeps_state = false;
    bool keeps_results = false;
    bool keeps_rows = false;
    bool before_keyed = true;
    std::span<const std::string_view> newest_by{};
  };
  static constexpr found facts = [] {
    found made;
    bool watermark = false, window = false, session = false, by_event_time = false, accepts = false;
    const auto look = [&]<class Operator>(std::type_identity<Operator>) {
      if constexpr (WatermarkOperator<Operator>) watermark = true;
      if constexpr (StatefulOperator<Operator>) made.keeps_state = true, made.keeps_results = AggregateOperator<Operator>;
      if constexpr (WindowOperator<Operator>) window = true, session = SessionOperator<Operator>;
      if constexpr (AcceptLateOperator<Operator>) accepts = true;
      if constexpr (GroupOperator<Operator>) by_event_time = Operator::event_time_key >= 0;
      if constexpr (requires { typename Operator::deduplicate_tag; }) {
        made.deduplicates = true;
        made.before_deduplication = made.before_deduplication && made.last;
      }
      if constexpr (KeyedOperator<Operator>) {
        made.before_keyed = made.all_before && made.last;
        made.keeps_rows = true;
        made.aggregates = made.sessions = false;  // what it gives on is as it says, whatever came in
        made.last = true;
        window = session = by_event_time = accepts = false;
        if constexpr (requires { typename Operator::latest_tag; }) made.newest_by = Operator::names;
      }
      if constexpr (AggregateOperator<Operator>) {
        made.aggregates = true;
        made.all_before = made.all_before && made.last;
        // What late rows may correct is not final when it comes out.
        made.last = !accepts && watermark && (window || by_event_time);
        made.sessions = session;
        made.corrects = accepts;
        watermark = window = session = by_event_time = accepts = false;
      }
    };
    (look(std::type_identity<Operators>{}), ...);
    static_cast<void>(look);
    return made;
  }();
  static constexpr bool aggregates = facts.aggregates;
  static constexpr bool bounded = facts.last;                ///< the last aggregation
  static constexpr bool bounded_before = facts.all_before;  ///< those in front of it
  static constexpr bool gives_sessions = facts.sessions;    ///< the last aggregation is one of sessions
  static constexpr bool corrects = facts.corrects;          ///< the last aggregation accepts late rows
  static constexpr bool deduplicates = facts.deduplicates;
  static constexpr bool bounded_before_deduplication = facts.before_deduplication;
  static constexpr bool keeps_state = facts.keeps_state;
  static constexpr bool keeps_results = facts.keeps_results;  ///< what keeps state last is an aggregation
  static constexpr bool keeps_rows = facts.keeps_rows;        ///< top, latest_by, lag or process
  static constexpr bool bounded_before_keyed = facts.before_keyed;
  static constexpr std::span<const std::string_view> newest_by = facts.newest_by;  ///< the keys of latest_by
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

template <class Pipeline, std::size_t Node>
constexpr bool reads_open_rows();

/// Whether an output gives rows that a later batch may replace, however late: those of an unbounded aggregation. Invalid
/// rows are never replaced: each says what was wrong then.
template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr bool gives_open_rows() {
  using facts = delivery_facts<typename stream_behind<member_type<Pipeline, Node>, Port>::type>;
  if constexpr (wiring<Pipeline>::nodes[Node].outputs[Port].sort == port_sort::invalid) return false;
  else if constexpr (facts::aggregates) return !facts::bounded;
  else if constexpr (facts::keeps_rows)
    return !facts::newest_by.empty();
  else return reads_open_rows<Pipeline, Node>();
}

template <class Pipeline, std::size_t Node, std::size_t Edge>
constexpr bool edge_brings_open_rows() {
  constexpr edge_fact edge = wiring<Pipeline>::edges[Edge];
  if constexpr (edge.reader != static_cast<int>(Node)) return false;
  else
    return gives_open_rows<Pipeline, static_cast<std::size_t>(edge.producer), static_cast<std::size_t>(edge.port)>();
}

template <class Pipeline, std::size_t Node>
constexpr bool reads_open_rows() {
  return []<std::size_t... E>(std::index_sequence<E...>) {
    return (edge_brings_open_rows<Pipeline, Node, E>() || ...);
  }(std::make_index_sequence<wiring<Pipeline>::edge_count>{});
}

template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr bool gives_sessions();

template <class Pipeline, std::size_t Node, std::size_t Edge>
constexpr bool edge_brings_sessions() {
  constexpr edge_fact edge = wiring<Pipeline>::edges[Edge];
  if constexpr (edge.reader != static_cast<int>(Node)) return false;
  else return gives_sessions<Pipeline, static_cast<std::size_t>(edge.producer), static_cast<std::size_t>(edge.port)>();
}

template <class Pipeline, std::size_t Node>
constexpr bool reads_sessions() {
  return []<std::size_t... E>(std::index_sequence<E...>) {
    return (edge_brings_sessions<Pipeline, Node, E>() || ...);
  }(std::make_index_sequence<wiring<Pipeline>::edge_count>{});
}

/// Whether the rows of an output are sessions, perhaps of a step in front.
template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr bool gives_sessions() {
  using facts = delivery_facts<typename stream_behind<member_type<Pipeline, Node>, Port>::type>;
  if constexpr (wiring<Pipeline>::nodes[Node].outputs[Port].sort != port_sort::plain) return false;
  else if constexpr (facts::aggregates) return facts::gives_sessions;
  else return reads_sessions<Pipeline, Node>();
}

/// What the rows of an output are: appended one by one, pairs of a join, or results that an aggregation keeps.
enum class row_origin { appended, joined, kept_results };

template <class Pipeline, std::size_t Node>
constexpr row_origin origin_of_inputs();

/// What keeps state last decides, perhaps in a step in front.
template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr row_origin origin_of_rows() {
  using behind = typename stream_behind<member_type<Pipeline, Node>, Port>::type;
  using facts = delivery_facts<behind>;
  if constexpr (!Stream<behind> || wiring<Pipeline>::nodes[Node].outputs[Port].sort != port_sort::plain)
    return row_origin::appended;
  else if constexpr (facts::keeps_results) return row_origin::kept_results;
  else if constexpr (facts::keeps_state) return row_origin::appended;
  else if constexpr (is_join<behind>) return row_origin::joined;
  else return origin_of_inputs<Pipeline, Node>();
}

template <class Pipeline, std::size_t Node, std::size_t Edge>
constexpr row_origin origin_of_edge(row_origin otherwise) {
  constexpr edge_fact edge = wiring<Pipeline>::edges[Edge];
  if constexpr (edge.reader != static_cast<int>(Node)) return otherwise;
  else return origin_of_rows<Pipeline, static_cast<std::size_t>(edge.producer), static_cast<std::size_t>(edge.port)>();
}

/// Results only where all inputs bring them; pairs where one does.
template <class Pipeline, std::size_t Node>
constexpr row_origin origin_of_inputs() {
  return []<std::size_t... E>(std::index_sequence<E...>) {
    if ((... || (origin_of_edge<Pipeline, Node, E>(row_origin::appended) == row_origin::joined))) return row_origin::joined;
    if ((... && (origin_of_edge<Pipeline, Node, E>(row_origin::kept_results) == row_origin::kept_results)))
      return row_origin::kept_results;
    return row_origin::appended;
  }(std::make_index_sequence<wiring<Pipeline>::edge_count>{});
}

template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr bool gives_corrections();

template <class Pipeline, std::size_t Node, std::size_t Edge>
constexpr bool edge_brings_corrections() {
  constexpr edge_fact edge = wiring<Pipeline>::edges[Edge];
  if constexpr (edge.reader != static_cast<int>(Node)) return false;
  else
    return gives_corrections<Pipeline, static_cast<std::size_t>(edge.producer), static_cast<std::size_t>(edge.port)>();
}

template <class Pipeline, std::size_t Node>
constexpr bool reads_corrections() {
  return []<std::size_t... E>(std::index_sequence<E...>) {
    return (edge_brings_corrections<Pipeline, Node, E>() || ...);
  }(std::make_index_sequence<wiring<Pipeline>::edge_count>{});
}

/// Whether the rows of an output may be corrected by late rows, perhaps in a step in front.
template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr bool gives_corrections() {
  using facts = delivery_facts<typename stream_behind<member_type<Pipeline, Node>, Port>::type>;
  if constexpr (wiring<Pipeline>::nodes[Node].outputs[Port].sort != port_sort::plain) return false;
  else if constexpr (facts::aggregates) return facts::corrects;
  else return reads_corrections<Pipeline, Node>();
}

template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr std::span<const std::string_view> newest_by();

template <class Pipeline, std::size_t Node, std::size_t Edge>
constexpr std::span<const std::string_view> edge_brings_newest_by() {
  constexpr edge_fact edge = wiring<Pipeline>::edges[Edge];
  if constexpr (edge.reader != static_cast<int>(Node))
    return {};
  else
    return newest_by<Pipeline, static_cast<std::size_t>(edge.producer), static_cast<std::size_t>(edge.port)>();
}

template <class Pipeline, std::size_t Node>
constexpr std::span<const std::string_view> reads_newest_by() {
  return []<std::size_t... E>(std::index_sequence<E...>) {
    std::span<const std::string_view> found{};
    ((found = found.empty() ? edge_brings_newest_by<Pipeline, Node, E>() : found), ...);
    return found;
  }(std::make_index_sequence<wiring<Pipeline>::edge_count>{});
}

/// The keys that the rows of an output are the newest of, perhaps those of a step in front; empty if they are not.
template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr std::span<const std::string_view> newest_by() {
  using facts = delivery_facts<typename stream_behind<member_type<Pipeline, Node>, Port>::type>;
  if constexpr (wiring<Pipeline>::nodes[Node].outputs[Port].sort != port_sort::plain)
    return {};
  else if constexpr (facts::aggregates || facts::keeps_rows)
    return facts::newest_by;
  else
    return reads_newest_by<Pipeline, Node>();
}

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
  if constexpr (is_join<behind> && reads_open_rows<Pipeline, Node>())
    return fail<rule::join_needs_final_rows, node_culprit<Pipeline, Node>>{};
  else if constexpr (!facts::bounded_before_deduplication)
    return fail<rule::deduplication_needs_final_rows, node_culprit<Pipeline, Node>>{};
  else if constexpr (facts::deduplicates && reads_open_rows<Pipeline, Node>())
    return fail<rule::deduplication_needs_final_rows, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
  else if constexpr (!facts::bounded_before_keyed)
    return fail<rule::keyed_rows_need_final_rows, node_culprit<Pipeline, Node>>{};
  else if constexpr (facts::keeps_rows && reads_open_rows<Pipeline, Node>())
    return fail<rule::keyed_rows_need_final_rows, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
  else if constexpr (!facts::aggregates) return pass{};
  else if constexpr (!facts::bounded_before)
    return fail<rule::aggregation_needs_final_rows, node_culprit<Pipeline, Node>>{};
  else if constexpr (reads_open_rows<Pipeline, Node>())
    return fail<rule::aggregation_needs_final_rows, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
  else return pass{};
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
  using traits = node_traits<member_type<Pipeline, Load>>;
  using stream_type =
      typename stream_behind<typename source::producer, static_cast<std::size_t>(source::edge.port)>::type;
  using facts = delivery_facts<stream_type>;
  using contract = input_contract<member_type<Pipeline, Load>, 0>;
  static constexpr bool has_key = key_names_of<contract>.size() != 0;
  static constexpr std::span<const std::string_view> newest_by = reads_newest_by<Pipeline, Load>();
  static constexpr bool updates = (facts::keeps_results && !facts::gives_sessions) || !newest_by.empty();
  static constexpr output_mode mode = traits::has_mode     ? traits::mode
                                      : updates && has_key ? output_mode::update
                                                           : output_mode::append;
};

template <class Pipeline, std::size_t Node>
constexpr auto judge_load() {
  if constexpr (wiring<Pipeline>::nodes[Node].sort != node_sort::load) return pass{};
  else {
    using facts = load_facts<Pipeline, Node>;
    constexpr bool may_grow = facts::traits::has_mode && facts::mode != output_mode::append;
    constexpr bool sessions = reads_sessions<Pipeline, Node>();
    constexpr bool corrections = reads_corrections<Pipeline, Node>();
    constexpr row_origin origin = origin_of_inputs<Pipeline, Node>();
    if constexpr (origin == row_origin::joined && facts::mode != output_mode::append)
      return fail<rule::join_results_are_appended, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (!facts::newest_by.empty()) {
      if constexpr (facts::mode == output_mode::update && has_key_of<typename facts::contract>(facts::newest_by))
        return pass{};
      else
        return fail<rule::latest_rows_must_be_updated, node_culprit<Pipeline, Node>,
                    reads_culprit<Pipeline, Node, 0>>{};
    } else if constexpr (facts::facts::keeps_rows && facts::mode != output_mode::append)
      return fail<rule::keyed_rows_are_appended, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (origin == row_origin::appended && facts::mode == output_mode::complete)
      return fail<rule::complete_mode_needs_an_aggregation, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (sessions && facts::mode == output_mode::update)
      return fail<rule::session_must_not_be_updated, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (corrections && facts::mode != output_mode::update)
      return fail<rule::accept_late_needs_update_mode, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (corrections) return pass{};
    else if constexpr (sessions && reads_open_rows<Pipeline, Node>() && !may_grow)
      return fail<rule::session_needs_watermark, node_culprit<Pipeline, Node>, reads_culprit<Pipeline, Node, 0>>{};
    else if constexpr (reads_open_rows<Pipeline, Node>() && !may_grow)
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
                  first::source::edge.port == second::source::edge.port && first::mode != second::mode &&
                  !std::is_same_v<typename first::stream_type, poisoned>)
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
        decltype(judge_aggregations_of<Pipeline, I>())..., decltype(judge_load<Pipeline, I>())...,
        decltype(judge_loads_with<Pipeline, I>(std::make_index_sequence<member_count<Pipeline>>{}))...>{};
  }(std::make_index_sequence<member_count<Pipeline>>{});
}

}  // namespace etlantic::detail
