#pragma once
#include <etlantic/runtime/batch_router.hpp>
#include <etlantic/runtime/stopwatch.hpp>

#include <etlantic/runtime/publication_buffer.inl.hpp>

#include <algorithm>
#include <utility>

namespace etlantic {

namespace detail {

/// Of a step whose results are corrected the late outputs.
inline std::vector<bool> ports_that_tell_missed_windows(const program_node& node) {
  const auto& ports = node.outputs;
  const bool corrected =
      std::any_of(ports.begin(), ports.end(), [](const output_port& port) { return port.corrected; });
  std::vector<bool> made;
  for (const output_port& port : ports) made.push_back(corrected && port.is_side && port.name != "invalid");
  return made;
}

}  // namespace detail

[[gnu::used]] inline batch_router::batch_router(const program& what, const std::vector<std::unique_ptr<stage>>& stages)
    : program_(what),
      stages_(stages),
      readers_(what.nodes.size()),
      publications_(what.nodes.size()),
      tells_missed_(what.nodes.size()),
      delivered_(what.nodes.size(), 0),
      seconds_(what.nodes.size(), 0) {
  for (std::size_t node = 0; node < what.nodes.size(); ++node) {
    readers_[node].resize(what.nodes[node].outputs.size());
    tells_missed_[node] = detail::ports_that_tell_missed_windows(what.nodes[node]);
  }
  for (std::size_t node = 0; node < what.nodes.size(); ++node) {
    const std::vector<port_reference>& inputs = what.nodes[node].inputs;
    for (std::size_t input = 0; input < inputs.size(); ++input)
      readers_[inputs[input].node][inputs[input].port].push_back({node, input});
  }
}

[[gnu::used]] inline void batch_router::begin() {
  for (publication_buffer& each : publications_) each.clear();
  missed_.clear();
  delivered_.assign(delivered_.size(), 0);
  seconds_.assign(seconds_.size(), 0);
}

/// Twice a block the clock is read, which is nothing beside the block's rows.
template <class Work>
result<void> batch_router::timed(std::size_t node, Work work) {
  const stopwatch time;
  const double inside_before = std::exchange(seconds_inside_, 0);
  result<void> done = work();
  const double whole = time.seconds();
  seconds_[node] += whole - seconds_inside_;
  seconds_inside_ = inside_before + whole;
  return done;
}

[[gnu::used]] inline result<void> batch_router::emit(port_reference from, const block& rows) {
  if (rows.rows == 0) return {};
  if (tells_missed_[from.node][from.port]) missed_.add_late(program_.nodes[from.node].name, rows);
  for (const reader& each : readers_[from.node][from.port]) {
    if (program_.nodes[each.node].kind == node_kind::load) {
      static_cast<void>(timed(each.node, [&] { return publications_[each.node].append(rows), result<void>(); }));
      continue;
    }
    delivered_[each.node] += static_cast<std::int64_t>(rows.rows) * stages_[each.node]->counts_of_row(each.input);
    step_outputs outputs(*this, each.node);
    const auto process = [&] { return stages_[each.node]->process(each.input, rows, outputs); };
    if (result<void> done = timed(each.node, process); !done) return done;
  }
  return {};
}

[[gnu::used]] inline result<void> batch_router::finish(std::size_t node) {
  step_outputs outputs(*this, node);
  return timed(node, [&] { return stages_[node]->finish(outputs); });
}

}  // namespace etlantic
