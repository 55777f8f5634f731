#pragma once
#include <etlantic/runtime/bound_pipeline.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/workers.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace etlantic {

namespace detail {

inline failure unbound(const program_node& node, const profile& where, std::string message, std::string help) {
  return {failure_class::configuration, "PMPLAN201", std::move(message),
          "profile '" + where.name + "', assets." + node.asset + " (" + std::string(name_of(node.kind)) + " '" +
              node.name + "')",
          std::move(help)};
}

inline std::string connectors_that(bool are_sources) {
  std::string names;
  for (const connector& each : available_connectors())
    if ((are_sources ? each.make_source != nullptr : each.make_sink != nullptr))
      names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names.empty() ? "none" : names;
}

inline result<const asset_binding*> find_binding(const program_node& node, const profile& where) {
  const auto found = where.assets.find(node.asset);
  if (found != where.assets.end()) return &found->second;
  std::string bound;
  for (const auto& [asset, binding] : where.assets) bound += (bound.empty() ? "" : ", ") + asset;
  return unbound(node, where, "asset '" + node.asset + "' of node '" + node.name + "' is bound to nothing",
                 "Bind it to a connector in the profile. Bound are: " + (bound.empty() ? "none" : bound) + ".");
}

/// The named connector, if it can be what the node needs.
inline result<const connector*> find_connector(const program_node& node, const asset_binding& bound,
                                               const profile& where) {
  const bool as_source = node.kind == node_kind::extract;
  for (const connector& each : available_connectors())
    if (each.name == bound.connector && (as_source ? each.make_source != nullptr : each.make_sink != nullptr))
      return &each;
  const std::string role = as_source ? "source" : "sink";
  return unbound(node, where,
                 "asset '" + node.asset + "' of node '" + node.name + "' is bound to '" + bound.connector +
                     "', which this program does not have as a " + role,
                 "Connectors that can be a " + role + ": " + connectors_that(as_source) + ".");
}

inline result<std::shared_ptr<source>> bind_source(const program_node& node, const profile& where) {
  const result<const asset_binding*> bound = find_binding(node, where);
  if (!bound) return bound.error();
  if ((*bound)->made_source) return (*bound)->made_source;
  const result<const connector*> found = find_connector(node, **bound, where);
  if (!found) return found.error();
  return (*found)->make_source(**bound);
}

inline result<std::shared_ptr<sink>> bind_sink(const program_node& node, const profile& where) {
  const result<const asset_binding*> bound = find_binding(node, where);
  if (!bound) return bound.error();
  if ((*bound)->made_sink) return (*bound)->made_sink;
  const result<const connector*> found = find_connector(node, **bound, where);
  if (!found) return found.error();
  return (*found)->make_sink(**bound);
}

inline failure malformed_program(const program& what, const program_node& node, const std::string& reason) {
  return {failure_class::internal, "PMSTREAM478", "node '" + node.name + "' of pipeline '" + what.id + "' " + reason,
          node.name, "This is a mistake in the lowering of the pipeline; please report it."};
}

/// The engine indexes without looking again, so everything that it relies on is looked at once.
inline result<void> verify_program(const program& what) {
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    const program_node& node = what.nodes[i];
    for (const port_reference& input : node.inputs)
      if (input.node >= i || input.port >= what.nodes[input.node].outputs.size())
        return malformed_program(what, node, "reads a port that no node before it has");
    const bool is_extract = node.kind == node_kind::extract;
    if (is_extract && (node.outputs.size() != 2 || node.outputs[1].contract == nullptr))
      return malformed_program(what, node, "lacks its ports 'valid' and 'invalid'");
    if (node.kind != node_kind::step && node.contract == nullptr)
      return malformed_program(what, node, "has no contract");
    if (node.kind == node_kind::step && !node.make_stage) return malformed_program(what, node, "has no stage");
  }
  return {};
}

inline result<void> bind_node(std::size_t i, bound_pipeline& into, const profile& where,
                              const query_environment& environment, output_mode mode) {
  const program_node& node = into.what.nodes[i];
  if (node.kind == node_kind::extract) {
    result<std::shared_ptr<source>> bound = bind_source(node, where);
    if (!bound) return bound.error();
    into.sources[i] = std::move(*bound);
    for (std::size_t worker = 0; worker < workers_of(where); ++worker)
      into.decoders[i].push_back(environment.make_decoder(
          {node.contract, node.outputs[1].contract, into.what.id, into.sources[i]->max_line_bytes()}));
  } else if (node.kind == node_kind::load) {
    result<std::shared_ptr<sink>> bound = bind_sink(node, where);
    if (!bound) return bound.error();
    into.sinks[i] = std::move(*bound);
  } else {
    into.stages[i] = node.make_stage(mode);
  }
  return {};
}

}  // namespace detail

[[gnu::used]] inline result<std::vector<output_mode>> output_modes(const program& what) {
  std::vector<std::optional<output_mode>> modes(what.nodes.size());
  // Backwards, so that every reader of a step is known before the step itself.
  for (std::size_t i = what.nodes.size(); i-- > 0;) {
    const program_node& node = what.nodes[i];
    if (node.kind == node_kind::load) modes[i] = node.mode;
    if (!modes[i]) continue;
    for (const port_reference& input : node.inputs) {
      if (input.port != 0) continue;
      std::optional<output_mode>& read = modes[input.node];
      if (read && *read != *modes[i] && what.nodes[input.node].kind == node_kind::step)
        return failure{failure_class::configuration, "PMPLAN203",
                       "step '" + what.nodes[input.node].name + "' leads to loads in mode " +
                           std::string(name_of(*read)) + " and in mode " + std::string(name_of(*modes[i])),
                       what.nodes[input.node].name, "Give all loads behind one step the same output mode."};
      read = modes[i];
    }
  }
  std::vector<output_mode> settled;
  for (const std::optional<output_mode>& mode : modes) settled.push_back(mode.value_or(output_mode::append));
  return settled;
}

[[gnu::used]] inline result<bound_pipeline> bind_pipeline(program what, const profile& where,
                                                          const query_environment& environment) {
  if (result<void> sound = detail::verify_program(what); !sound) return sound.error();
  const result<std::vector<output_mode>> modes = output_modes(what);
  if (!modes) return modes.error();
  bound_pipeline bound;
  const std::size_t count = what.nodes.size();
  bound.what = std::move(what);
  bound.sources.resize(count);
  bound.decoders.resize(count);
  bound.stages.resize(count);
  bound.sinks.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (result<void> done = detail::bind_node(i, bound, where, environment, (*modes)[i]); !done) return done.error();
  return bound;
}

}  // namespace etlantic
