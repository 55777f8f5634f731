#pragma once
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/transformation.hpp>
#include <etlantic/graph/wiring.hpp>
#include <etlantic/plan/delivery_facts.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// What the rows of an output are, as what keeps state last says, perhaps in a step in front.

namespace etlantic::detail {

/// How rows come out: one by one, as pairs of a join, as rows that an operator keeps by key, or as results that an
/// aggregation keeps.
enum class row_origin { appended, joined, kept_rows, kept_results };

struct row_facts {
  row_origin origin = row_origin::appended;
  bool open = false;                              ///< a later batch may replace them, however late
  bool sessions = false;                          ///< they are sessions
  bool corrections = false;                       ///< late rows may correct them
  bool recomputed = false;                        ///< a correction run may
  bool kept = false;                              ///< something with state, or a join, gave them out
  std::span<const std::string_view> newest_by{};  ///< they are the newest of these keys; empty if they are not
};

/// Rows of both. Results only where both bring them.
constexpr row_facts together(const row_facts& one, const row_facts& other) {
  row_facts made{row_origin::appended,
                 one.open || other.open,
                 one.sessions || other.sessions,
                 one.corrections || other.corrections,
                 one.recomputed || other.recomputed,
                 one.kept || other.kept,
                 one.newest_by.empty() ? other.newest_by : one.newest_by};
  if (one.origin == other.origin)
    made.origin = one.origin;
  else
    for (row_origin each : {row_origin::kept_rows, row_origin::joined})
      if (one.origin == each || other.origin == each) made.origin = each;
  return made;
}

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
constexpr row_facts facts_of_inputs();

/// Rejected and late rows are given on once: each says what was wrong then.
template <class Pipeline, std::size_t Node, std::size_t Port>
constexpr row_facts facts_of_rows() {
  using behind = typename stream_behind<member_type<Pipeline, Node>, Port>::type;
  using facts = delivery_facts<behind>;
  if constexpr (wiring<Pipeline>::nodes[Node].outputs[Port].sort != port_sort::plain)
    return {};
  else if constexpr (facts::keeps_results)
    return {
        row_origin::kept_results, !facts::bounded, facts::gives_sessions, facts::corrects, facts::recomputes, true, {}};
  else if constexpr (facts::keeps_rows)
    return {.origin = row_origin::kept_rows,
            .open = !facts::newest_by.empty(),
            .kept = true,
            .newest_by = facts::newest_by};
  else if constexpr (facts::keeps_state)
    return {.kept = true};
  else if constexpr (is_join<behind>)
    return {.origin = row_origin::joined, .kept = true};
  else
    return facts_of_inputs<Pipeline, Node>();
}

template <class Pipeline, std::size_t Node>
constexpr row_facts facts_of_inputs() {
  row_facts found;
  bool any = false;
  const auto add = [&]<std::size_t Edge>(std::integral_constant<std::size_t, Edge>) {
    constexpr edge_fact edge = wiring<Pipeline>::edges[Edge];
    if constexpr (edge.reader == static_cast<int>(Node)) {
      constexpr row_facts brought =
          facts_of_rows<Pipeline, static_cast<std::size_t>(edge.producer), static_cast<std::size_t>(edge.port)>();
      found = std::exchange(any, true) ? together(found, brought) : brought;
    }
  };
  [&]<std::size_t... E>(std::index_sequence<E...>) {
    (add(std::integral_constant<std::size_t, E>{}), ...);
  }(std::make_index_sequence<wiring<Pipeline>::edge_count>{});
  static_cast<void>(add);
  return found;
}

template <class Pipeline, std::size_t Node>
inline constexpr row_facts input_facts = facts_of_inputs<Pipeline, Node>();

}  // namespace etlantic::detail
