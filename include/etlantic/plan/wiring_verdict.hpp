#pragma once
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/graph/port_contracts.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/wiring.hpp>

#include <utility>

namespace etlantic {

// Culprits of wiring rules.
template <class Name>
struct node {};
template <class Name>
struct reads {};
template <class Name>
struct input_port {};
template <class Name>
struct gives {};
template <class Name>
struct asset {};
template <class... Names>
struct cycle {};

namespace detail {

// Names of the graph as types, so that they can become culprits.
template <class Pipeline, std::size_t Node>
struct name_of_node {
  static constexpr std::string_view get() { return wiring<Pipeline>::nodes[Node].name; }
};
template <class Pipeline, std::size_t Node>
struct asset_of_node {
  static constexpr std::string_view get() { return wiring<Pipeline>::nodes[Node].asset; }
};
template <class Pipeline, std::size_t Node, std::size_t Input>
struct text_of_read {
  static constexpr std::string_view get() { return wiring<Pipeline>::nodes[Node].reads[Input]; }
};
template <class Pipeline, std::size_t Node, std::size_t Input>
struct name_of_input {
  static constexpr std::string_view get() { return wiring<Pipeline>::nodes[Node].inputs[Input].name; }
};
template <class Pipeline, std::size_t Node, std::size_t Port>
struct name_of_output {
  static constexpr std::string_view get() { return wiring<Pipeline>::nodes[Node].outputs[Port].name; }
};

template <class Pipeline, std::size_t Node>
using node_culprit = node<called<fixed_from<name_of_node<Pipeline, Node>>()>>;
template <class Pipeline, std::size_t Node, std::size_t Input>
using reads_culprit = reads<called<fixed_from<text_of_read<Pipeline, Node, Input>>()>>;
template <class Pipeline, std::size_t Node, std::size_t Input>
using input_culprit = input_port<called<fixed_from<name_of_input<Pipeline, Node, Input>>()>>;

template <class Pipeline, std::size_t Node, std::size_t Input>
constexpr auto similar_node() {
  constexpr int near = closest_name(member_names<Pipeline>, node_part(wiring<Pipeline>::nodes[Node].reads[Input]));
  if constexpr (near < 0)
    return nothing_similar{};
  else
    return did_you_mean<called<fixed_from<name_of_node<Pipeline, static_cast<std::size_t>(near)>>()>>{};
}

template <class Pipeline, std::size_t Node, std::size_t Input, std::size_t Producer>
constexpr int closest_port() {
  std::array<std::string_view, wiring<Pipeline>::nodes[Producer].outputs.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = wiring<Pipeline>::nodes[Producer].outputs[i].name;
  return closest_name(names, port_part(wiring<Pipeline>::nodes[Node].reads[Input]));
}

template <class Pipeline, std::size_t Node, std::size_t Input, std::size_t Producer>
constexpr auto similar_port() {
  constexpr int near = closest_port<Pipeline, Node, Input, Producer>();
  if constexpr (near < 0)
    return nothing_similar{};
  else
    return did_you_mean<called<fixed_from<name_of_output<Pipeline, Producer, static_cast<std::size_t>(near)>>()>>{};
}

template <class Pipeline>
constexpr std::size_t cycle_length() {
  constexpr auto path = wiring<Pipeline>::cycle_nodes();
  std::size_t length = 0;
  while (path[length] >= 0) ++length;
  return length;
}

template <class Pipeline, std::size_t I>
inline constexpr std::size_t cycle_node = static_cast<std::size_t>(wiring<Pipeline>::cycle_nodes()[I]);

template <class Pipeline, std::size_t... I>
constexpr auto cycle_culprit(std::index_sequence<I...>) {
  return cycle<called<fixed_from<name_of_node<Pipeline, cycle_node<Pipeline, I>>>()>...>{};
}

template <class Pipeline>
constexpr auto judge_wiring() {
  using enum wiring_problem;
  constexpr wiring_finding found = wiring<Pipeline>::find();
  constexpr auto reader = static_cast<std::size_t>(found.node < 0 ? 0 : found.node);
  constexpr auto input = static_cast<std::size_t>(found.input < 0 ? 0 : found.input);
  constexpr auto other = static_cast<std::size_t>(found.other < 0 ? 0 : found.other);
  constexpr auto port = static_cast<std::size_t>(found.port < 0 ? 0 : found.port);
  if constexpr (found.problem == none)
    return pass{};
  else if constexpr (found.problem == not_a_node)
    return fail<rule::member_must_be_a_node, type<Pipeline>, node_culprit<Pipeline, reader>,
                type<member_type<Pipeline, reader>>>{};
  else if constexpr (found.problem == same_asset)
    return fail<rule::assets_must_differ, asset<called<fixed_from<asset_of_node<Pipeline, reader>>()>>,
                node_culprit<Pipeline, reader>, node_culprit<Pipeline, other>>{};
  else if constexpr (found.problem == unknown_node)
    return fail<rule::node_must_exist, node_culprit<Pipeline, reader>, reads_culprit<Pipeline, reader, input>,
                decltype(similar_node<Pipeline, reader, input>())>{};
  else if constexpr (found.problem == unknown_port)
    return fail<rule::port_must_exist, node_culprit<Pipeline, reader>, reads_culprit<Pipeline, reader, input>,
                decltype(similar_port<Pipeline, reader, input, other>())>{};
  else if constexpr (found.problem == unconnected_input)
    return fail<rule::input_must_be_connected, node_culprit<Pipeline, reader>,
                input_culprit<Pipeline, reader, input>>{};
  else if constexpr (found.problem == too_many_reads)
    return fail<rule::step_must_not_read_more_than_its_inputs, node_culprit<Pipeline, reader>,
                reads_culprit<Pipeline, reader, input>>{};
  else if constexpr (found.problem == rejected_rows_into_step)
    return fail<rule::rejected_rows_must_go_to_a_load, node_culprit<Pipeline, reader>,
                reads_culprit<Pipeline, reader, input>>{};
  else if constexpr (found.problem == reference_from_elsewhere)
    return fail<rule::reference_must_come_from_an_extract, node_culprit<Pipeline, reader>,
                reads_culprit<Pipeline, reader, input>>{};
  else if constexpr (found.problem == streamed_reference)
    return fail<rule::reference_must_not_be_streamed, node_culprit<Pipeline, reader>,
                reads_culprit<Pipeline, reader, input>, node_culprit<Pipeline, other>>{};
  else if constexpr (found.problem == different_contracts)
    return fail<rule::edge_must_carry_one_contract, node_culprit<Pipeline, reader>,
                reads_culprit<Pipeline, reader, input>, type<output_contract<member_type<Pipeline, other>, port>>,
                type<input_contract<member_type<Pipeline, reader>, input>>>{};
  else
    return fail<rule::graph_must_not_cycle,
                decltype(cycle_culprit<Pipeline>(std::make_index_sequence<cycle_length<Pipeline>()>{}))>{};
}

}  // namespace detail
}  // namespace etlantic
