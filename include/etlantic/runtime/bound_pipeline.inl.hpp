#pragma once
#include <etlantic/core/refused_setting.hpp>
#include <etlantic/runtime/bound_pipeline.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/event_times.hpp>
#include <etlantic/runtime/missing_records.hpp>
#include <etlantic/runtime/source_conditions.hpp>
#include <etlantic/runtime/time_zones.hpp>
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

inline failure without_records(const program_node& node, const asset_binding& bound, const profile& where) {
  const records_missing why = missing_records(node, bound.connector);
  failure made = unbound(node, where, why.message, why.help);
  made.code = records_missing_code;
  return made;
}

inline result<std::shared_ptr<source>> bind_source(const program_node& node, const profile& where) {
  const result<const asset_binding*> bound = find_binding(node, where);
  if (!bound) return bound.error();
  if ((*bound)->made_source) return (*bound)->made_source;
  const result<const connector*> found = find_connector(node, **bound, where);
  if (!found) return found.error();
  if (node.contract->record != nullptr && !(*found)->gives_records) return without_records(node, **bound, where);
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

/// What the profile says about times in the future. A bound that nothing keeps would be a false comfort.
inline result<future_bound> bind_future(const program& what, std::size_t extract, const profile& where) {
  const program_node& node = what.nodes[extract];
  const duration most_ahead = where.assets.at(node.asset).reject_future;
  if (most_ahead == duration::zero()) return future_bound{};
  future_bound bound{event_time_fields(what, extract), most_ahead};
  if (!bound.fields.empty()) return bound;
  return failure{failure_class::configuration, std::string(unguarded_future_code),
                 "asset '" + node.asset + "' rejects times in the future, but no step that reads '" + node.name +
                     ".valid' has a watermark on one of its fields",
                 "profile '" + where.name + "', assets." + node.asset + ".reject_future",
                 "Declare the watermark on a field of the contract, in a step that reads the extract itself, or leave "
                 "reject_future out."};
}

/// The same for splits that nobody would follow.
inline result<void> verify_splits(const program& what, std::size_t extract, const profile& where) {
  const program_node& node = what.nodes[extract];
  if (where.assets.at(node.asset).watermark_per == watermark_unit::input || moves_a_watermark(what, extract)) return {};
  return failure{failure_class::configuration, std::string(unfollowed_splits_code),
                 "asset '" + node.asset +
                     "' is to have a watermark for each split, but no watermark follows the rows of '" + node.name +
                     "'",
                 "profile '" + where.name + "', assets." + node.asset + ".watermark_per",
                 "Declare a watermark in a step that its rows lead to, or leave watermark_per out."};
}

inline result<void> bind_node(std::size_t i, bound_pipeline& into, const profile& where,
                              const query_environment& environment, const port_modes& modes) {
  const program_node& node = into.what.nodes[i];
  if (node.kind == node_kind::extract) {
    result<std::shared_ptr<source>> bound = bind_source(node, where);
    if (!bound) return bound.error();
    into.sources[i] = std::move(*bound);
    if (result<void> opened = into.sources[i]->open(*node.contract); !opened) return opened.error();
    if (const auto conditions = conditions_of(into.what, i, where); !conditions.empty())
      into.sources[i]->narrow(conditions);
    result<future_bound> future = bind_future(into.what, i, where);
    if (!future) return future.error();
    if (result<void> followed = verify_splits(into.what, i, where); !followed) return followed;
    for (std::size_t worker = 0; worker < workers_of(where); ++worker)
      into.decoders[i].push_back(environment.make_decoder(
          {node.contract, node.outputs[1].contract, into.what.id, into.sources[i]->max_line_bytes(), *future}));
  } else if (node.kind == node_kind::load) {
    result<std::shared_ptr<sink>> bound = bind_sink(node, where);
    if (!bound) return bound.error();
    into.sinks[i] = std::move(*bound);
  } else {
    try {
      into.stages[i] = node.make_stage(modes);
    } catch (const refused_setting& refused) {
      return failure{failure_class::configuration, "PMPIPE310", refused.what(), node.name, "change the setting"};
    }
  }
  return {};
}

/// Rejected rows that go to a sink which passes them on as messages are wanted with the rest of theirs.
inline void give_origins(const bound_pipeline& bound) {
  for (std::size_t i = 0; i < bound.sinks.size(); ++i) {
    if (bound.sinks[i] == nullptr || !bound.sinks[i]->wants_origins()) continue;
    const port_reference from = bound.what.nodes[i].inputs[0];
    if (bound.sources[from.node] != nullptr && from.port == 1) bound.sources[from.node]->give_origins();
  }
}

/// Which extracts are read as references. Steps that share one have one version of it, and so one rule.
inline result<void> bind_references(bound_pipeline& into) {
  for (const program_node& step : into.what.nodes)
    for (const reference_input& each : step.references) {
      const std::size_t extract = step.inputs[each.input].node;
      std::optional<refresh_rule>& rule = into.references[extract];
      if (rule && *rule != each.refresh)
        return failure{failure_class::configuration, "PMPLAN204",
                       "steps want reference '" + into.what.nodes[extract].name + "' read again by different rules",
                       step.name, "Give all references to one extract the same rule, or declare another extract."};
      rule = each.refresh;
    }
  return {};
}

}  // namespace detail

namespace detail {

/// The modes that readers want of the ports of each node; none where nobody reads.
using wanted_modes = std::vector<std::vector<std::optional<output_mode>>>;

inline failure modes_differ(const program_node& step, std::size_t port, output_mode one, output_mode other) {
  return {failure_class::configuration, "PMPLAN203",
          "output '" + step.outputs[port].name + "' of step '" + step.name + "' is wanted in mode " +
              std::string(name_of(one)) + " and in mode " + std::string(name_of(other)),
          step.name, "Give all loads behind one output the same output mode; a step that keeps state wants append."};
}

/// What a node wants of the rows that it reads.
inline result<std::optional<output_mode>> mode_of_reader(const program_node& node,
                                                         const std::vector<std::optional<output_mode>>& given) {
  if (node.kind == node_kind::load) return std::optional(node.mode);
  if (!node.state_schema.empty()) return std::optional(output_mode::append);
  std::optional<output_mode> mode;
  for (const std::optional<output_mode>& each : given) {
    if (!each) continue;
    if (mode && *mode != *each)
      return failure{failure_class::configuration, "PMPLAN203",
                     "step '" + node.name + "' keeps no state and leads to loads in mode " +
                         std::string(name_of(*mode)) + " and in mode " + std::string(name_of(*each)),
                     node.name, "Give all loads behind one step without state the same output mode."};
    mode = each;
  }
  return mode;
}

}  // namespace detail

[[gnu::used]] inline result<std::vector<port_modes>> output_modes(const program& what) {
  detail::wanted_modes wanted;
  for (const program_node& node : what.nodes) wanted.emplace_back(node.outputs.size());
  // Backwards, so that every reader of a step is known before the step itself.
  for (std::size_t i = what.nodes.size(); i-- > 0;) {
    const program_node& node = what.nodes[i];
    if (node.kind == node_kind::extract) continue;
    std::vector<std::optional<output_mode>> results;
    for (std::size_t port = 0; port < node.outputs.size(); ++port)
      if (!node.outputs[port].is_side) results.push_back(wanted[i][port]);
    const result<std::optional<output_mode>> mode = detail::mode_of_reader(node, results);
    if (!mode) return mode.error();
    if (!*mode) continue;
    for (const port_reference& input : node.inputs) {
      const program_node& producer = what.nodes[input.node];
      std::optional<output_mode>& read = wanted[input.node][input.port];
      if (read && *read != **mode && producer.kind == node_kind::step)
        return detail::modes_differ(producer, input.port, *read, **mode);
      read = *mode;
    }
  }
  std::vector<port_modes> settled;
  for (const auto& ports : wanted) {
    std::vector<output_mode> modes;
    for (const std::optional<output_mode>& each : ports) modes.push_back(each.value_or(output_mode::append));
    settled.emplace_back(std::move(modes));
  }
  return settled;
}

[[gnu::used]] inline result<bound_pipeline> bind_pipeline(program what, const profile& where,
                                                          const query_environment& environment) {
  if (result<void> sound = detail::verify_program(what); !sound) return sound.error();
  if (result<void> known = verify_time_zones(what); !known) return known.error();
  if (!is_available(where.compression)) return unavailable_compression("profile '" + where.name + "'");
  const result<std::vector<port_modes>> modes = output_modes(what);
  if (!modes) return modes.error();
  bound_pipeline bound;
  const std::size_t count = what.nodes.size();
  bound.what = std::move(what);
  bound.sources.resize(count);
  bound.decoders.resize(count);
  bound.stages.resize(count);
  bound.sinks.resize(count);
  bound.references.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (result<void> done = detail::bind_node(i, bound, where, environment, (*modes)[i]); !done) return done.error();
  if (result<void> done = detail::bind_references(bound); !done) return done.error();
  detail::give_origins(bound);
  return bound;
}

}  // namespace etlantic
