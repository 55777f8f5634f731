#pragma once
#include <etlantic/tool/balance.hpp>

namespace etlantic {

namespace detail {
inline bool has_late_output(const program_node& node) {
  return !node.outputs.empty() && node.outputs.back().name == "late";
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
    const std::int64_t sum = counts.filtered + counts.late + counts.kept;
    if (counts.received != sum)
      sentences.push_back(each.node + ": " + number(counts.received) + " rows received, but " +
                          number(counts.filtered) + " filtered + " + number(counts.late) + " late + " +
                          number(counts.kept) + " kept = " + number(sum));
    const program_node* node = what.find(each.node);
    // A step with several streams counts a row once for each of them.
    const bool counts_once = node != nullptr && node->inputs.size() == 1 && node->outputs.size() <= (detail::has_late_output(*node) ? 2u : 1u);
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
