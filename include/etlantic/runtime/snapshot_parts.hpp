#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/runtime/batch_state.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace etlantic {

/// Of which of the writers that `save_parts` was given each section of a snapshot is.
using section_writers = std::vector<std::size_t>;

/// How many writers `save_parts` takes.
inline std::size_t writers_of_parts(const program& what) { return what.nodes.size() + 1; }

/// Adds what a snapshot holds besides its head: how far each extract was read, and the state of the steps and of the
/// quality gates, each in a writer of its own out of `writers_of_parts`, which are empty. The sections have no bytes
/// yet, since some writers copy now and write later.
inline section_writers save_parts(const batch_setting& query, std::vector<state_writer>& writers, snapshot& into) {
  const program& what = query.pipeline.what;
  section_writers used;
  const auto add = [&](const std::string& name, std::size_t writer) {
    into.states.push_back({name, {}});
    used.push_back(writer);
  };
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    const program_node& node = what.nodes[i];
    if (node.kind == node_kind::extract) into.positions.push_back({node.name, query.state.positions[i].ranges()});
    if (node.kind != node_kind::step) continue;
    query.pipeline.stages[i]->save(writers[i]);
    if (!node.state_schema.empty() || !writers[i].is_empty()) add(node.name, i);
  }
  if (query.state.quality.remembers()) {
    query.state.quality.save(writers[what.nodes.size()]);
    add(std::string(quality_judge::section), what.nodes.size());
  }
  return used;
}

}  // namespace etlantic
