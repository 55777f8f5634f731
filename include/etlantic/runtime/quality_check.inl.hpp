#pragma once
#include <etlantic/runtime/event_times.hpp>
#include <etlantic/runtime/quality_check.hpp>

#include <algorithm>

namespace etlantic {

namespace detail {

inline bool takes_fields(quality_metric metric) {
  return metric == quality_metric::completeness || metric == quality_metric::duplicate_share ||
         metric == quality_metric::freshness;
}

inline std::optional<std::size_t> field_place(const schema& contract, std::string_view name) {
  for (std::size_t i = 0; i < contract.fields.size(); ++i)
    if (contract.fields[i].name == name) return i;
  return std::nullopt;
}

inline std::optional<gate_problem> problem_of_fields(const quality_gate& gate, const program& what, std::size_t node) {
  const schema& contract = *what.nodes[node].contract;
  const std::string metric(name_of(gate.metric));
  if (!takes_fields(gate.metric)) {
    if (gate.fields.empty()) return std::nullopt;
    return gate_problem{"field", metric + " is of whole rows and takes no field", {}, {}, "remove field"};
  }
  for (const std::string& each : gate.fields) {
    if (field_place(contract, each)) continue;
    std::vector<std::string> known;
    for (const field_description& field : contract.fields) known.emplace_back(field.name);
    return gate_problem{"field", std::string(contract.id) + " has no field \"" + each + "\"", each, std::move(known)};
  }
  if (gate.metric == quality_metric::duplicate_share) {
    if (!gate.fields.empty()) return std::nullopt;
    return gate_problem{"metric",
                        "duplicate_share needs the field that tells rows apart",
                        {},
                        {},
                        "add field: and its name, or several with commas between them"};
  }
  if (gate.fields.size() > 1 || (gate.fields.empty() && gate.metric == quality_metric::completeness))
    return gate_problem{"metric", metric + " needs one field", {}, {}, "add field: and its name"};
  const std::vector<std::size_t> columns = columns_of(gate, what, node);
  if (gate.metric == quality_metric::freshness) {
    if (columns.empty())
      return gate_problem{"metric", "freshness needs a field with the time", {}, {}, "add field: and its name"};
    const field_description& time = contract.fields[columns[0]];
    if (time.type != logical_type::timestamp)
      return gate_problem{
          "field", "\"" + std::string(time.name) + "\" is no time", {}, {}, "name a field that is a timestamp"};
  } else if (!contract.fields[columns[0]].nullable) {
    return gate_problem{"field",
                        "\"" + gate.fields[0] + "\" cannot be null, so that it is always complete",
                        {},
                        {},
                        "name a field that is std::optional in the contract; a row without this one is invalid"};
  }
  return std::nullopt;
}

/// A window is judged by itself where all of its results come in one batch.
inline std::optional<gate_problem> problem_of_windows(const quality_gate& gate, const program& what, std::size_t node) {
  if (gate.scope != gate_scope::window) return std::nullopt;
  const auto problem = [](std::string message, std::string help) {
    return gate_problem{"over", std::move(message), {}, {}, std::move(help)};
  };
  const program_node& load = what.nodes[node];
  const std::string asset = "\"" + gate.of + "\"";
  if (load.kind != node_kind::load)
    return problem(asset + " is read, and only results have windows",
                   "name the asset of a load, or write over: batch, 10 batches or 1h");
  if (!window_of(gate, what, node))
    return problem(asset + " has no field window_start", "name a load whose contract has it as a timestamp");
  if (load.mode != output_mode::append)
    return problem(
        asset + " gets the results of a window again whenever they change (" + std::string(name_of(load.mode)) + ")",
        "load them in append mode, which gives out each window once, or write over: batch");
  return std::nullopt;
}

inline std::optional<gate_problem> problem_of_bounds(const quality_gate& gate) {
  const auto problem = [](std::string key, std::string message, std::string help) {
    return gate_problem{std::move(key), std::move(message), {}, {}, std::move(help)};
  };
  if (gate.scope == gate_scope::event) {
    if (!takes_fields(gate.metric))
      return problem("over", std::string(name_of(gate.metric)) + " is not of one row",
                     "write over: batch, 10 batches or 1h");
    const bool has_bound = gate.at_most.has_value();
    if (gate.metric == quality_metric::freshness && !has_bound)
      return problem("metric", "freshness needs a bound", "add at_most: 5min, or another length of time");
    if (gate.at_least || (has_bound && gate.metric != quality_metric::freshness))
      return problem(gate.at_least ? "at_least" : "at_most", "a gate over each event has no share of rows to bound",
                     "remove it, or write over: batch");
    return std::nullopt;
  }
  if (!gate.at_least && !gate.at_most) return problem("metric", "the gate has no bound", "add at_most: or at_least:");
  if (gate.at_least && gate.at_most && *gate.at_least > *gate.at_most)
    return problem("at_least", "at_least is greater than at_most, so that nothing can hold", "lower it");
  return std::nullopt;
}

}  // namespace detail

[[gnu::used]] inline std::optional<std::size_t> node_of(const quality_gate& gate, const program& what) {
  for (std::size_t i = 0; i < what.nodes.size(); ++i)
    if (what.nodes[i].kind != node_kind::step && what.nodes[i].asset == gate.of) return i;
  return std::nullopt;
}

[[gnu::used]] inline std::vector<std::size_t> columns_of(const quality_gate& gate, const program& what,
                                                         std::size_t node) {
  std::vector<std::size_t> places;
  for (const std::string& each : gate.fields)
    if (const auto place = detail::field_place(*what.nodes[node].contract, each)) places.push_back(*place);
  if (places.empty() && gate.metric == quality_metric::freshness && what.nodes[node].kind == node_kind::extract) {
    places = event_time_fields(what, node);
    if (places.size() > 1) places.resize(1);
  }
  return places;
}

[[gnu::used]] inline std::optional<std::size_t> window_of(const quality_gate& gate, const program& what,
                                                          std::size_t node) {
  if (gate.scope != gate_scope::window) return std::nullopt;
  const schema& contract = *what.nodes[node].contract;
  const auto place = detail::field_place(contract, "window_start");
  return place && contract.fields[*place].type == logical_type::timestamp ? place : std::nullopt;
}

[[gnu::used]] inline std::optional<gate_problem> problem_of(const quality_gate& gate, const program& what) {
  const std::optional<std::size_t> node = node_of(gate, what);
  if (!node) {
    std::vector<std::string> known;
    for (const program_node& each : what.nodes)
      if (each.kind != node_kind::step) known.push_back(each.asset);
    return gate_problem{"of", "the pipeline has no asset \"" + gate.of + "\"", gate.of, std::move(known)};
  }
  const bool is_load = what.nodes[*node].kind == node_kind::load;
  if (is_load && gate.metric == quality_metric::invalid_share)
    return gate_problem{"metric",
                        "\"" + gate.of + "\" is published, and only what is read can be invalid",
                        {},
                        {},
                        "name the asset of an extract"};
  if (gate.otherwise == gate_outcome::quarantine) {
    if (is_load)
      return gate_problem{"otherwise",
                          "\"" + gate.of + "\" is published, and only what is read goes to quarantine",
                          {},
                          {},
                          "write otherwise: warn, pause or fail, or name the asset of an extract"};
    bool is_read = false;
    for (const program_node& reader : what.nodes)
      for (const port_reference& from : reader.inputs) is_read |= from.node == *node && from.port == 1;
    if (!is_read)
      return gate_problem{"otherwise",
                          "nothing reads " + what.nodes[*node].name + ".invalid, so that the rows would be lost",
                          {},
                          {},
                          "add a load of " + what.nodes[*node].name + ".invalid to the pipeline"};
  }
  for (const program_node& reader : what.nodes)
    for (const reference_input& each : reader.references)
      if (reader.inputs[each.input].node == *node)
        return gate_problem{"of",
                            "\"" + gate.of + "\" is a reference, which is not read batch by batch",
                            {},
                            {},
                            "name the asset of a stream"};
  if (auto found = detail::problem_of_windows(gate, what, *node)) return found;
  if (auto found = detail::problem_of_fields(gate, what, *node)) return found;
  return detail::problem_of_bounds(gate);
}

}  // namespace etlantic
