#pragma once
#include <etlantic/runtime/recovery.hpp>
#include <etlantic/runtime/split_restore.hpp>

#include <algorithm>

namespace etlantic {

namespace detail {

inline failure unreadable_state(const program_node& node, const std::string& reason) {
  return {
      failure_class::state, "PMSTREAM474", "the state of step '" + node.name + "' cannot be restored: " + reason,
      node.name,
      "Run the version of the program that wrote the checkpoint, or name a new checkpoint directory in the profile: "
      "the query then reads its sources from the beginning."};
}

inline result<void> restore_stage(const program_node& node, stage& into, const snapshot& from,
                                  const checkpoint_identity& stored) {
  const auto section = std::find_if(from.states.begin(), from.states.end(),
                                    [&](const state_section& each) { return each.step == node.name; });
  if (section == from.states.end()) {
    if (node.state_schema.empty()) return {};
    return unreadable_state(node, "the snapshot does not hold it");
  }
  const state_change change = change_of_state(state_schema_at(stored, node.name, from.batch), node.state_schema);
  if (!change.readable)
    return unreadable_state(node, "the snapshot of batch " + std::to_string(from.batch) + " is from before a change" +
                                      (change.reason.empty() ? "" : ": " + change.reason));
  state_reader reader =
      change.rearranged ? state_reader(section->bytes(), change.parts) : state_reader(section->bytes());
  if (result<void> restored = into.restore(reader); !restored) return restored;
  if (!reader.ok()) return unreadable_state(node, "the snapshot holds less than the step needs");
  if (!reader.at_end()) return unreadable_state(node, "the snapshot holds more than the step reads");
  return {};
}

inline result<void> restore_stages(const bound_pipeline& pipeline, const snapshot& from,
                                   const checkpoint_identity& stored) {
  for (std::size_t i = 0; i < pipeline.stages.size(); ++i)
    if (pipeline.stages[i] != nullptr)
      if (result<void> done = restore_stage(pipeline.what.nodes[i], *pipeline.stages[i], from, stored); !done)
        return done;
  return {};
}

inline void add_positions(const batch_setting& query, const std::vector<extract_ranges>& read) {
  const std::vector<program_node>& nodes = query.pipeline.what.nodes;
  for (const extract_ranges& extract : read)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].kind == node_kind::extract && nodes[i].name == extract.node)
        query.state.positions[i].add(extract.ranges);
}

/// Sources that were used before start again from what they are told here, so a fresh query tells them too.
inline result<void> restore_sources(const batch_setting& query) {
  for (std::size_t i = 0; i < query.pipeline.sources.size(); ++i)
    if (query.pipeline.sources[i] != nullptr && !query.pipeline.references[i])
      if (result<void> done = query.pipeline.sources[i]->restore(query.state.positions[i].ranges()); !done) return done;
  return {};
}

/// The versions that the last plan named.
inline void restore_references(const batch_setting& query, const std::vector<reference_version>& named) {
  const std::vector<program_node>& nodes = query.pipeline.what.nodes;
  for (const reference_version& each : named)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].name == each.node && query.pipeline.references[i]) query.state.references[i].version = each;
}

}  // namespace detail

[[gnu::used]] inline result<recovered_work> restore_query(const batch_setting& query) {
  batch_state& state = query.state;
  state.positions.resize(query.pipeline.what.nodes.size());
  state.references.resize(query.pipeline.what.nodes.size());
  state.clock.set_policy(query.where.watermarks);
  state.followed.watch(query.pipeline.what, query.where);
  for (const program_node& node : query.pipeline.what.nodes) {
    for (const followed_watermark& each : node.watermarks)
      state.clock.add(each.name, each.delay, state.followed.origins_of(each.name));
    const auto bound = query.where.assets.find(node.asset);
    if (node.kind == node_kind::extract && bound != query.where.assets.end())
      state.splits.watch(node.name, bound->second.idle_after);
  }

  state.activity.watch(query.pipeline.what, query.where);
  if (result<void> watched = state.quality.watch(query.pipeline.what, query.where); !watched) return watched.error();
  recovered_batches recovered = query.kept == nullptr ? recovered_batches{} : query.kept->take_recovered();
  if (recovered.newest) {
    const commit_record& done = *recovered.newest;
    state.next_batch = done.batch + 1;
    state.clock.set_policy(done.policy);
    state.activity.restore(done.activity);
    state.splits.restore(done.split_activity);
  }
  recovered_work work;
  if (recovered.restored) {
    work.restored = recovered.restored->batch;
    const snapshot& saved = recovered.state->contents();
    if (result<void> restored = detail::restore_stages(query.pipeline, saved, query.kept->identity()); !restored)
      return restored.error();
    detail::add_positions(query, saved.positions);
    for (const state_section& each : saved.states)
      if (each.step == quality_judge::section)
        if (result<void> restored = state.quality.restore(each.bytes()); !restored) return restored.error();
  }
  detail::restore_references(query, recovered.references);
  // What was planned behind the snapshot counts as read: the source must not offer its rows again.
  for (const committed_batch& each : recovered.behind) detail::add_positions(query, each.plan.extracts);
  for (const plan_record& each : recovered.pending) detail::add_positions(query, each.extracts);
  if (result<void> restored = detail::restore_sources(query); !restored) return restored.error();
  if (recovered.restored) {
    std::vector<step_watermark> steps = recovered.restored->steps;
    for (step_watermark& each : steps) detail::follow_profile(query, each);
    state.clock.restore(recovered.restored->watermark, recovered.restored->watermark_in_force, steps);
  }
  work.behind = std::move(recovered.behind);
  work.pending = std::move(recovered.pending);
  return work;
}

}  // namespace etlantic
