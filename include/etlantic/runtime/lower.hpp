#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/plan/settings_verdict.hpp>
#include <etlantic/plan/verify.hpp>
#include <etlantic/runtime/branched_stage.hpp>
#include <etlantic/runtime/lower_conditions.hpp>
#include <etlantic/runtime/lower_describe.hpp>
#include <etlantic/runtime/lower_source.hpp>
#include <etlantic/runtime/lower_stage.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/time_zones.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// From a pipeline's type to the program that runs it.

namespace etlantic {

namespace detail {

template <class C>
void describe_watermarks_of_source(const port_source<C>&, program_node&) {}
template <class C>
void describe_watermarks_of_source(const reference_source<C>&, program_node&) {}
template <class C, class... Parts>
void describe_watermarks_of_source(const union_source<C, Parts...>& source, program_node& into);
template <JoinSource Source>
void describe_watermarks_of_source(const Source& source, program_node& into);

template <class Source, class Row, class... Operators>
void describe_watermarks(const stream<Source, Row, Operators...>& chain, program_node& into) {
  describe_watermarks_of_source(chain.source, into);
  const auto look = [&](const auto& of) {
    using Operator = std::remove_cvref_t<decltype(of)>;
    if constexpr (DeclaredWatermark<Operator>)
      into.watermarks.push_back({"", names_of_inputs(chain, into), std::string(Operator::field.view()), of.delay});
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (look(boost::hana::at_c<I>(chain.operators)), ...);
  }(std::index_sequence_for<Operators...>{});
  static_cast<void>(look);
}

template <class C, class... Parts>
void describe_watermarks_of_source(const union_source<C, Parts...>& source, program_node& into) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (describe_watermarks(boost::hana::at_c<I>(source.parts), into), ...);
  }(std::index_sequence_for<Parts...>{});
}

template <JoinSource Source>
void describe_watermarks_of_source(const Source& source, program_node& into) {
  describe_watermarks(source.left_stream, into);
  describe_watermarks(source.right_stream, into);
}

template <class Source, class Row, class... Operators>
void describe_zones(const stream<Source, Row, Operators...>&, program_node& into) {
  const auto look = [&]<class Operator>(std::type_identity<Operator>) {
    if constexpr (CalendarOperator<Operator>) add_zone(Operator::zone.view(), into.zones);
  };
  (look(std::type_identity<Operators>{}), ...);
  static_cast<void>(look);
}

/// Adds what a stream says about itself to the node of its step.
template <Stream S>
void describe_stream(const S& chain, program_node& into) {
  add_operators(chain, into);
  const std::string state = describe_state(chain);
  if (!state.empty()) into.state_schema.append(into.state_schema.empty() ? "" : " | ").append(state);
  describe_watermarks(chain, into);
  describe_zones(chain, into);
  take_conditions(chain, into.conditions);
}

/// Gives each watermark of a step a name of its own, which a checkpoint knows it by.
inline void name_watermarks(program_node& step) {
  for (followed_watermark& each : step.watermarks) {
    each.name = step.watermarks.size() == 1 ? step.name : joined(step.name, ".", each.input);
    const auto same = [&](const followed_watermark& other) { return &other < &each && other.input == each.input; };
    const auto before = std::count_if(step.watermarks.begin(), step.watermarks.end(), same);
    if (before != 0) each.name.append(" ").append(std::to_string(before + 1));
  }
}

template <class T>
void describe_parameters(const T& transformation, program_node& into) {
  const auto add = [&](std::string_view name, const auto& part) {
    if constexpr (Parameter<std::remove_cvref_t<decltype(part)>>)
      into.parameters.push_back({std::string(name), describe(as_expression(part.value))});
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add(member_names<T>[I], member<I>(transformation)), ...);
  }(std::make_index_sequence<member_count<T>>{});
}

/// The inputs that are looked up, and when they are read again.
template <class T>
void describe_references(const T& transformation, program_node& into) {
  std::size_t input = 0;
  const auto add = [&](std::string_view name, const auto& part) {
    using part_type = std::remove_cvref_t<decltype(part)>;
    if constexpr (ReferencePort<part_type>) {
      into.references.push_back({input, part.refresh});
      into.parameters.push_back({std::string(name), joined("reference, ", describe(part.refresh))});
    }
    input += InputPort<part_type>;
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add(member_names<T>[I], member<I>(transformation)), ...);
  }(std::make_index_sequence<member_count<T>>{});
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

template <class C>
program_node make_extract(std::string name, std::string asset) {
  program_node made;
  made.kind = node_kind::extract;
  made.name = std::move(name);
  made.asset = std::move(asset);
  made.contract = &schema_of<C>();
  made.outputs = {{"valid", &schema_of<C>()}, {"invalid", &schema_of<rejected<C>>()}};
  add_zones(schema_of<C>().fields, made.zones);
  return made;
}

template <class C>
program_node make_load(std::string name, std::string asset, output_mode mode, port_reference from) {
  program_node made;
  made.kind = node_kind::load;
  made.name = std::move(name);
  made.asset = std::move(asset);
  made.contract = &schema_of<C>();
  made.mode = mode;
  made.input_names = {"rows"};
  made.inputs = {from};
  return made;
}

template <class T, std::size_t Port, class Implementation>
branched_stage::branch make_branch(const Implementation& implementation, const stage_place& place,
                                   const port_modes& modes) {
  const auto& chain = stream_of_port<Implementation, Port, T>(implementation);
  stage_place here = place;
  here.mode = modes.at(Port);
  return {inputs_of(chain), Port, lower_stream(chain, here)};
}

template <class T, class Implementation>
std::unique_ptr<stage> make_step_stage(const Implementation& implementation, const stage_place& place,
                                       const port_modes& modes) {
  constexpr std::size_t outputs = ports_of<T, false>::count;
  if constexpr (outputs == 1 && ports_of<T, true>::count == 1)
    return make_branch<T, 0>(implementation, place, modes).work;
  else {
    std::vector<branched_stage::branch> branches;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (branches.push_back(make_branch<T, I>(implementation, place, modes)), ...);
    }(std::make_index_sequence<outputs>{});
    return std::make_unique<branched_stage>(std::move(branches));
  }
}

template <class Implementation, std::size_t Port, class T>
using stream_type_of_port =
    std::remove_cvref_t<decltype(stream_of_port<Implementation, Port, T>(std::declval<const Implementation&>()))>;

/// The ports that every step has or may have, behind those that it declares.
template <class C>
void add_invalid_port(bool stays_empty, program_node& step, stage_place& place) {
  place.invalid = &schema_of<rejected<C>>();
  place.invalid_port = step.outputs.size();
  step.outputs.push_back({"invalid", place.invalid, stays_empty, true});
}
template <class Late>
late_output add_late_port(std::string_view name, program_node& step, bool stays_empty = false) {
  step.outputs.push_back({std::string(name), &schema_of<Late>(), stays_empty, true});
  return {&schema_of<Late>(), step.outputs.size() - 1};
}

template <class T>
void add_late_ports(program_node& step, stage_place& place) {
  using ports = late_ports<T>;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (place.late_inputs.push_back(add_late_port<typename ports::template contract<I>>(
         ports::names[I], step, ReferencePort<member_type<T, ports_of<T, true>::members[I]>>)),
     ...);
  }(std::make_index_sequence<ports::inputs>{});
  if constexpr (ports::has_union)
    place.late_union =
        add_late_port<typename ports::template contract<ports::inputs>>(ports::names[ports::inputs], step);
}

template <class T>
program_node make_step(std::string name, const T& transformation) {
  using inputs = ports_of<T, true>;
  using outputs = ports_of<T, false>;
  program_node made;
  made.kind = node_kind::step;
  made.name = name;
  for (std::string_view input : inputs::names) made.input_names.emplace_back(input);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (made.outputs.push_back({std::string(outputs::names[I]), &schema_of<typename outputs::template contract<I>>()}),
     ...);
  }(std::make_index_sequence<outputs::count>{});
  describe_parameters(transformation, made);
  describe_references(transformation, made);

  const auto implementation = implementation_of(transformation);
  using Implementation = std::remove_const_t<decltype(implementation)>;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (describe_stream(stream_of_port<Implementation, I, T>(implementation), made), ...);
  }(std::make_index_sequence<outputs::count>{});
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((made.outputs[I].corrected = delivery_facts<stream_type_of_port<Implementation, I, T>>::recomputes), ...);
  }(std::make_index_sequence<outputs::count>{});
  name_watermarks(made);
  stage_place place{.step = std::move(name)};
  if constexpr (outputs::count > 0) {
    constexpr bool rejects = []<std::size_t... I>(std::index_sequence<I...>) {
      return (can_reject<stream_type_of_port<Implementation, I, T>>() || ...);
    }(std::make_index_sequence<outputs::count>{});
    add_invalid_port<typename outputs::template contract<0>>(!rejects, made, place);
  }
  add_late_ports<T>(made, place);
  made.make_stage = [implementation, place](const port_modes& modes) {
    return make_step_stage<T>(implementation, place, modes);
  };
  return made;
}

template <class Node>
struct node_maker;
template <class C, fixed_string Asset>
struct node_maker<extract<C, Asset>> {
  static program_node make(std::string name, const extract<C, Asset>&) {
    return make_extract<C>(std::move(name), std::string(Asset.view()));
  }
};
template <class T, fixed_string... From>
struct node_maker<step<T, From...>> {
  static program_node make(std::string name, const step<T, From...>& of) { return make_step(std::move(name), of.with); }
};
template <class C, fixed_string Asset, fixed_string From, auto... Options>
struct node_maker<load<C, Asset, From, Options...>> {
  static program_node make(std::string name, const load<C, Asset, From, Options...>&) {
    return make_load<C>(std::move(name), std::string(Asset.view()), output_mode::append, {});
  }
};

template <class Pipeline, std::size_t I>
void set_delivery(program_node& of) {
  if constexpr (wiring<Pipeline>::nodes[I].sort == node_sort::load) {
    of.mode = load_facts<Pipeline, I>::mode;
    of.bound_to = load_facts<Pipeline, I>::options::kind;
  }
}

/// Whether an extract is read as a reference. Without a reader of its invalid rows there are none: they end the batch.
inline bool is_reference(const program& of, std::size_t node) {
  for (const program_node& reader : of.nodes)
    for (const reference_input& each : reader.references)
      if (reader.inputs[each.input].node == node) return true;
  return false;
}

/// Outputs that nothing reads, for the plan.
inline void warn_of_unused_outputs(program& of) {
  for (std::size_t i = 0; i < of.nodes.size(); ++i)
    for (std::size_t port = 0; port < of.nodes[i].outputs.size(); ++port) {
      bool used = is_reference(of, i);
      for (const program_node& reader : of.nodes)
        for (const port_reference& from : reader.inputs) used |= from.node == i && from.port == port;
      if (!used && !of.nodes[i].outputs[port].stays_empty)
        of.warnings.push_back(joined("nothing reads ", of.nodes[i].name, ".", of.nodes[i].outputs[port].name,
                                     ": its rows are counted and dropped"));
    }
}

/// Operators that were told to remember every key, for the plan.
inline void warn_of_growing_state(program& of) {
  for (const program_node& node : of.nodes)
    for (const operator_description& each : node.operators) {
      if ((each.name == "latest_by" || each.name == "lag") && each.settings.back().value == "never")
        of.warnings.push_back(joined(node.name, " remembers every key of ", each.name, " for good: its state grows"));
      if (each.name != "deduplicate" || each.settings.back().value != describe(key_memory::everything)) continue;
      const std::string& keys = each.settings[each.settings.size() - 2].value;
      of.warnings.push_back(
          joined(node.name, " remembers every key (", keys, ") of a deduplication for good: its state grows"));
    }
}

inline failure failure_of(setting_problem problem, std::string where) {
  return {failure_class::configuration, "PMPIPE310", std::string(sentence_of(problem)), std::move(where),
          "change the setting"};
}

/// The first step whose settings cannot work.
template <class Pipeline>
std::optional<failure> problem_of_settings(const Pipeline& pipeline) {
  std::optional<failure> found;
  const auto look = [&](std::string_view name, const auto& node) {
    if constexpr (is_step<std::remove_cvref_t<decltype(node)>>) {
      const setting_problem problem = judge_settings(implementation_of(node.with));
      if (problem != setting_problem::none && !found) found = failure_of(problem, joined("step ", name));
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (look(wiring<Pipeline>::nodes[I].name, member<I>(pipeline)), ...);
  }(std::make_index_sequence<member_count<Pipeline>>{});
  return found;
}

}  // namespace detail

/// The program of a pipeline, after checking all rules. Parameters have the values of `pipeline`; settings made of them
/// that cannot work (a window of no length) are a failure.
template <class Pipeline>
result<program> lower(const Pipeline& pipeline = {}) {
  using found = pipeline_verdict<Pipeline>;
  enforce(found{});
  program made;
  if constexpr (passed<found>) {
    if (std::optional<failure> problem = detail::problem_of_settings(pipeline)) return std::move(*problem);
    constexpr contract_identity identity = detail::identity_of<Pipeline>();
    made.id = std::string(identity.id);
    made.version = std::string(identity.version);
    using graph = detail::wiring<Pipeline>;
    std::vector<program_node> nodes;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (nodes.push_back(
           detail::node_maker<member_type<Pipeline, I>>::make(std::string(graph::nodes[I].name), member<I>(pipeline))),
       ...);
      (detail::set_delivery<Pipeline, I>(nodes[I]), ...);
    }(std::make_index_sequence<graph::count>{});

    std::vector<std::size_t> place(graph::count);
    for (std::size_t i = 0; i < graph::count; ++i) place[graph::order.nodes[i]] = i;
    for (const detail::edge_fact& edge : graph::edges) {
      auto& inputs = nodes[static_cast<std::size_t>(edge.reader)].inputs;
      inputs.resize(std::max(inputs.size(), static_cast<std::size_t>(edge.input) + 1));
      inputs[static_cast<std::size_t>(edge.input)] = {place[static_cast<std::size_t>(edge.producer)],
                                                      static_cast<std::size_t>(edge.port)};
    }
    for (std::size_t i = 0; i < graph::count; ++i) made.nodes.push_back(std::move(nodes[graph::order.nodes[i]]));
    detail::warn_of_unused_outputs(made);
    detail::warn_of_growing_state(made);
  }
  return made;
}

}  // namespace etlantic
