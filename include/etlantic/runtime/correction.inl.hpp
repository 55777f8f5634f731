#pragma once
#include <etlantic/runtime/checkpoint.hpp>
#include <etlantic/runtime/correction.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/missed_windows_file.hpp>
#include <etlantic/runtime/query.hpp>

#include <algorithm>
#include <vector>

namespace etlantic {

namespace detail {

/// The loads of corrected results: behind steps without state, if any.
inline std::vector<bool> corrected_loads(const program& what) {
  std::vector<bool> gives(what.nodes.size()), found(what.nodes.size());
  for (std::size_t i = 0; i < what.nodes.size(); ++i)
    for (const port_reference& input : what.nodes[i].inputs) {
      const output_port& port = what.nodes[input.node].outputs[input.port];
      if (port.is_side || !(port.corrected || gives[input.node])) continue;
      if (what.nodes[i].kind == node_kind::load)
        found[i] = true;
      else if (what.nodes[i].state_schema.empty())
        gives[i] = true;
    }
  return found;
}

/// The part of a program that leads to the loads of corrected results, which are replaced in their targets.
inline program correcting_part(const program& what) {
  const std::vector<bool> loads = corrected_loads(what);
  std::vector<bool> needed = loads;
  for (std::size_t i = what.nodes.size(); i-- > 0;)
    if (needed[i])
      for (const port_reference& input : what.nodes[i].inputs) needed[input.node] = true;
  program part;
  part.id = what.id;
  part.version = what.version;
  std::vector<std::size_t> place(what.nodes.size());
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    if (!needed[i]) continue;
    place[i] = part.nodes.size();
    program_node& node = part.nodes.emplace_back(what.nodes[i]);
    for (port_reference& input : node.inputs) input.node = place[input.node];
    if (loads[i]) node.mode = output_mode::update;
  }
  return part;
}

inline failure nothing_to_correct_from(const profile& where, const std::string& why) {
  return {failure_class::configuration, "PMPLAN208", why, "profile '" + where.name + "', checkpoint",
          "Name the checkpoint of the query in the profile: it keeps which windows late rows have missed."};
}

/// Whose windows they are, if the pipeline is still the one that missed them.
inline result<checkpoint_identity> corrected_query(const checkpoint_layout& layout, const program& what,
                                                   const profile& where) {
  const result<std::string> bytes = read_file(layout.identity());
  if (!bytes && bytes.error().code == "PMSTREAM462")
    return nothing_to_correct_from(where, "there is no checkpoint in '" + layout.directory + "'");
  if (!bytes) return bytes.error();
  result<checkpoint_identity> stored = read_identity_record(*bytes, layout.identity());
  if (!stored) return stored;
  const auto accepted = compare(*stored, identify(what, stored->query, stored->created), layout.directory);
  if (!accepted) return accepted.error();
  return stored;
}

/// What belongs to the running query (its checkpoint, retries from there, gates over its batches, its reports) does not
/// concern a run that is simply done again. A gate that looks at one row at a time says the same of it as it did then.
inline profile correcting_profile(profile where) {
  where.checkpoint.clear();
  where.retry = {};
  std::erase_if(where.quality, [](const quality_gate& each) {
    return each.scope != gate_scope::event || each.metric != quality_metric::completeness ||
           each.otherwise != gate_outcome::quarantine;
  });
  where.reports = {};
  where.trigger.kind = trigger_kind::once;
  where.limits.max_rows = where.limits.max_bytes = where.limits.max_files = no_limit;
  return where;
}

}  // namespace detail

[[gnu::used]] inline result<correction> correct_program(program what, profile where) {
  const auto corrected = [](const program_node& node) {
    return std::any_of(node.outputs.begin(), node.outputs.end(),
                       [](const output_port& each) { return each.corrected; });
  };
  if (std::none_of(what.nodes.begin(), what.nodes.end(), corrected))
    return failure{failure_class::configuration, "PMPLAN209",
                   "pipeline '" + what.id + "' keeps no windows for a correction", what.id,
                   "Put correct_late() behind the windows whose results are to be corrected."};
  if (where.checkpoint.empty()) return detail::nothing_to_correct_from(where, "the profile has no checkpoint");
  const checkpoint_layout layout{where.checkpoint};
  const result<checkpoint_identity> query = detail::corrected_query(layout, what, where);
  if (!query) return query.error();
  if (result<void> made = make_directories_durably(layout.corrections()); !made) return made.error();
  const result<checkpoint_lock> lock = checkpoint_lock::take(layout.corrections());
  if (!lock) return lock.error();
  result<taken_windows> taken = take_missed_windows(layout, query->query);
  if (!taken) return taken.error();

  correction made;
  made.windows = static_cast<std::int64_t>(taken->windows.size());
  if (made.windows == 0) return made;
  query_environment environment;
  environment.correcting = {query->query + "-correction", taken->newest_batch, std::move(taken->windows)};
  result<etlantic::query> running = start_program(
      detail::correcting_part(what), detail::correcting_profile(std::move(where)), {}, std::move(environment));
  if (!running) return running.error();
  running->await();
  if (result<void> outcome = running->outcome(); !outcome) return outcome.error();
  made.done = running->totals();
  if (result<void> removed = remove_taken_windows(layout); !removed) return removed.error();
  return made;
}

}  // namespace etlantic
