#pragma once
#include <etlantic/contract/reflect.hpp>
#include <etlantic/graph/port_contracts.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// The graph of a pipeline as values: names are resolved to indices once, and every rule is an ordinary loop.

namespace etlantic::detail {

struct node_fact {
  std::string_view name{};
  node_sort sort = node_sort::other;
  std::string_view asset{};
  std::span<const port_fact> inputs{};
  std::span<const port_fact> outputs{};
  std::span<const std::string_view> reads{};
};

/// An edge by indices; -1 where a name was not found.
struct edge_fact {
  int reader = -1;
  int input = -1;
  int producer = -1;
  int port = -1;
};

enum class wiring_problem {
  none,
  not_a_node,
  same_asset,
  unknown_node,
  unknown_port,
  unconnected_input,
  too_many_reads,
  different_contracts,
  rejected_rows_into_step,
  reference_from_elsewhere,
  streamed_reference,
  cycle,
};

/// The first thing that is wrong: which node, which of its inputs, and the other node concerned.
struct wiring_finding {
  wiring_problem problem = wiring_problem::none;
  int node = -1;
  int input = -1;
  int other = -1;
  int port = -1;
};

/// Where the dot is, or the text's length. Not string_view::find: under -fsanitize=undefined gcc 12 does not take that
/// for a constant when the text is a template argument.
constexpr std::size_t place_of_dot(std::string_view reference) {
  std::size_t place = 0;
  while (place < reference.size() && reference[place] != '.') ++place;
  return place;
}
constexpr std::string_view node_part(std::string_view reference) {
  return reference.substr(0, place_of_dot(reference));
}
constexpr std::string_view port_part(std::string_view reference) {
  const std::size_t dot = place_of_dot(reference);
  return dot == reference.size() ? std::string_view{} : reference.substr(dot + 1);
}

template <class Pipeline>
struct wiring {
  static constexpr std::size_t count = member_count<Pipeline>;
  template <std::size_t I>
  using node = member_type<Pipeline, I>;

  static constexpr std::array<node_fact, count> nodes = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<node_fact, count>{node_fact{member_names<Pipeline>[I], node_traits<node<I>>::sort,
                                                  node_traits<node<I>>::asset, node_traits<node<I>>::inputs,
                                                  node_traits<node<I>>::outputs, node_traits<node<I>>::reads}...};
  }(std::make_index_sequence<count>{});

  static constexpr std::size_t edge_count = [] {
    std::size_t sum = 0;
    for (const node_fact& each : nodes) sum += each.reads.size();
    return sum;
  }();

  static constexpr int find_node(std::string_view name) {
    for (std::size_t i = 0; i < count; ++i)
      if (nodes[i].name == name) return static_cast<int>(i);
    return -1;
  }

  static constexpr int find_port(const node_fact& node, std::string_view name) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      if (node.outputs[i].name == name) return static_cast<int>(i);
    return -1;
  }

  static constexpr std::array<edge_fact, edge_count> edges = [] {
    std::array<edge_fact, edge_count> made{};
    std::size_t at = 0;
    for (std::size_t reader = 0; reader < count; ++reader)
      for (std::size_t input = 0; input < nodes[reader].reads.size(); ++input) {
        const std::string_view reference = nodes[reader].reads[input];
        edge_fact edge{static_cast<int>(reader), static_cast<int>(input), find_node(node_part(reference)), -1};
        if (edge.producer >= 0)
          edge.port = find_port(nodes[static_cast<std::size_t>(edge.producer)], port_part(reference));
        made[at++] = edge;
      }
    return made;
  }();

  template <std::size_t E>
  static constexpr bool has_one_contract() {
    constexpr edge_fact edge = edges[E];
    constexpr auto reader = static_cast<std::size_t>(edge.reader), input = static_cast<std::size_t>(edge.input);
    if constexpr (edge.producer < 0 || edge.port < 0 || input >= nodes[reader].inputs.size())
      return true;
    else
      return std::is_same_v<
          output_contract<node<static_cast<std::size_t>(edge.producer)>, static_cast<std::size_t>(edge.port)>,
          input_contract<node<reader>, input>>;
  }

  /// Whether both ends of an edge have the same contract; edges that lead nowhere are another rule's business.
  static constexpr std::array<bool, edge_count> carries_one_contract = []<std::size_t... E>(std::index_sequence<E...>) {
    return std::array<bool, edge_count>{has_one_contract<E>()...};
  }(std::make_index_sequence<edge_count>{});

  /// Nodes in topological order (Kahn); as many as can be ordered.
  struct ordered {
    std::array<std::size_t, count> nodes{};
    std::size_t size = 0;
    std::array<int, count> missing{};  // inputs of each node that are still waiting
  };
  static constexpr ordered order = [] {
    ordered made;
    for (const edge_fact& edge : edges)
      if (edge.producer >= 0) ++made.missing[static_cast<std::size_t>(edge.reader)];
    std::array<bool, count> done{};
    for (bool progressed = true; progressed;) {
      progressed = false;
      for (std::size_t i = 0; i < count; ++i) {
        if (done[i] || made.missing[i] != 0) continue;
        done[i] = progressed = true;
        made.nodes[made.size++] = i;
        for (const edge_fact& edge : edges)
          if (edge.producer == static_cast<int>(i)) --made.missing[static_cast<std::size_t>(edge.reader)];
      }
    }
    return made;
  }();

  /// Whether an edge leads to a reference. Only asked where both ends are there.
  static constexpr bool is_reference(const edge_fact& edge) {
    const node_fact& reader = nodes[static_cast<std::size_t>(edge.reader)];
    return reader.inputs[static_cast<std::size_t>(edge.input)].sort == port_sort::reference;
  }

  static constexpr wiring_finding find() {
    using enum wiring_problem;
    for (std::size_t i = 0; i < count; ++i) {
      if (nodes[i].sort == node_sort::other) return {not_a_node, static_cast<int>(i)};
      for (std::size_t j = 0; j < i; ++j)
        if (!nodes[i].asset.empty() && nodes[i].asset == nodes[j].asset)
          return {same_asset, static_cast<int>(j), -1, static_cast<int>(i)};
    }
    for (const edge_fact& edge : edges) {
      if (edge.producer < 0) return {unknown_node, edge.reader, edge.input};
      if (edge.port < 0) return {unknown_port, edge.reader, edge.input, edge.producer};
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (nodes[i].reads.size() < nodes[i].inputs.size())
        return {unconnected_input, static_cast<int>(i), static_cast<int>(nodes[i].reads.size())};
      if (nodes[i].reads.size() > nodes[i].inputs.size())
        return {too_many_reads, static_cast<int>(i), static_cast<int>(nodes[i].inputs.size())};
    }
    for (std::size_t e = 0; e < edge_count; ++e) {
      const edge_fact& edge = edges[e];
      const node_fact& reader = nodes[static_cast<std::size_t>(edge.reader)];
      const port_fact& port =
          nodes[static_cast<std::size_t>(edge.producer)].outputs[static_cast<std::size_t>(edge.port)];
      if (port.sort != port_sort::plain && reader.sort != node_sort::load)
        return {rejected_rows_into_step, edge.reader, edge.input, edge.producer, edge.port};
      if (!carries_one_contract[e]) return {different_contracts, edge.reader, edge.input, edge.producer, edge.port};
    }
    for (const edge_fact& edge : edges) {
      if (!is_reference(edge)) continue;
      if (nodes[static_cast<std::size_t>(edge.producer)].sort != node_sort::extract)
        return {reference_from_elsewhere, edge.reader, edge.input, edge.producer, edge.port};
      for (const edge_fact& other : edges)
        if (other.producer == edge.producer && other.port == edge.port && !is_reference(other))
          return {streamed_reference, edge.reader, edge.input, other.reader, edge.port};
    }
    if (order.size < count) return {cycle, cycle_nodes().front()};
    return {};
  }

  /// The steps of one cycle, each reading the one before it; -1 behind the last.
  static constexpr std::array<int, count + 1> cycle_nodes() {
    std::array<int, count + 1> path{};
    for (int& each : path) each = -1;
    std::array<bool, count> left{};
    for (bool& each : left) each = true;
    for (std::size_t i = 0; i < order.size; ++i) left[order.nodes[i]] = false;
    int at = -1;
    for (std::size_t i = count; i-- > 0;)
      if (left[i]) at = static_cast<int>(i);
    const auto producer_left = [&](int reader) {
      for (const edge_fact& edge : edges)
        if (edge.reader == reader && edge.producer >= 0 && left[static_cast<std::size_t>(edge.producer)])
          return edge.producer;
      return -1;
    };
    if (at < 0) return path;
    for (std::size_t i = 0; i < count; ++i) at = producer_left(at);  // now certainly on the cycle
    std::array<int, count + 1> backwards{};
    std::size_t length = 0;
    for (int walk = at; length == 0 || walk != at; walk = producer_left(walk)) backwards[length++] = walk;
    for (std::size_t i = 0; i < length; ++i) path[i] = backwards[length - 1 - i];
    return path;
  }
};

}  // namespace etlantic::detail
