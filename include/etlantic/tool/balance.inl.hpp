#pragma once
#include <etlantic/tool/balance.hpp>

#include <string_view>

namespace etlantic {

namespace detail {
// Outputs that the step's transformation declares: not `invalid`, which is behind them, nor what comes after.
inline std::size_t declared_outputs(const program_node& step) {
  std::size_t count = step.outputs.size();
  for (const std::string_view own : {"late", "invalid"})
    if (count > 1 && step.outputs[count - 1].name == own) --count;
  return count;
}
}  // namespace detail

[[gnu::used]] inline std::vector<std::string> imbalances(const program& what, const progress& done) {
  std::vector<std::string> sentences;
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  for (const extract_progress& each : done.extracts)
    if (each.read != each.valid + each.invalid)
      sentences.push_back(each.node + ": " + number(each.read) + " rows read, but " + number(each.valid) + " valid + " +
                          number(each.invalid) + " invalid = " + number(each.valid + each.invalid));
  for (const step_progress& each : done.steps) {
    const stage_counts& counts = each.counts;
    const std::int64_t sum = accounted_for(counts);
    if (counts.received != sum)
      sentences.push_back(each.node + ": " + number(counts.received) + " rows received, but " +
                          number(counts.filtered) + " filtered + " + number(counts.late) + " late + " +
                          number(counts.invalid) + " invalid + " + number(counts.duplicate) + " duplicate + " +
                          number(counts.kept) + " kept = " + number(sum));
    const program_node* node = what.find(each.node);
    // A step with several streams counts a row once for each of them.
    const bool counts_once = node != nullptr && node->inputs.size() == 1 && detail::declared_outputs(*node) <= 1;
    if (!counts_once || node->inputs[0].port != 0) continue;
    const program_node& giver = what.nodes[node->inputs[0].node];
    for (const extract_progress& source : done.extracts)
      if (giver.kind == node_kind::extract && source.node == giver.name && source.valid != counts.received)
        sentences.push_back(each.node + ": received " + number(counts.received) + " rows, but " + giver.name + " has " +
                            number(source.valid) + " valid ones");
  }
  return sentences;
}

}  // namespace etlantic
