#pragma once
#include <etlantic/runtime/batch_router.hpp>
#include <etlantic/runtime/publication_buffer.inl.hpp>

namespace etlantic {

[[gnu::used]] inline batch_router::batch_router(const program& what, const std::vector<std::unique_ptr<stage>>& stages)
    : program_(what),
      stages_(stages),
      readers_(what.nodes.size()),
      publications_(what.nodes.size()),
      delivered_(what.nodes.size(), 0) {
  for (std::size_t node = 0; node < what.nodes.size(); ++node) readers_[node].resize(what.nodes[node].outputs.size());
  for (std::size_t node = 0; node < what.nodes.size(); ++node) {
    const std::vector<port_reference>& inputs = what.nodes[node].inputs;
    for (std::size_t input = 0; input < inputs.size(); ++input)
      readers_[inputs[input].node][inputs[input].port].push_back({node, input});
  }
}

[[gnu::used]] inline void batch_router::begin() {
  for (publication_buffer& each : publications_) each.clear();
  delivered_.assign(delivered_.size(), 0);
}

[[gnu::used]] inline result<void> batch_router::emit(port_reference from, const block& rows) {
  if (rows.rows == 0) return {};
  for (const reader& each : readers_[from.node][from.port]) {
    if (program_.nodes[each.node].kind == node_kind::load) {
      publications_[each.node].append(rows);
      continue;
    }
    delivered_[each.node] += static_cast<std::int64_t>(rows.rows) * stages_[each.node]->counts_of_row(each.input);
    step_outputs outputs(*this, each.node);
    if (result<void> done = stages_[each.node]->process(each.input, rows, outputs); !done) return done;
  }
  return {};
}

[[gnu::used]] inline result<void> batch_router::finish(std::size_t node) {
  step_outputs outputs(*this, node);
  return stages_[node]->finish(outputs);
}

}  // namespace etlantic
