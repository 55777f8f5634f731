#pragma once
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace etlantic::detail {

/// What every row of an extract has to keep in order to be more than a filtered row. Nothing, where somebody else sees
/// the rows: another reader, a gate of the profile, a bound of times in the future, a watermark of each split.
inline std::vector<row_condition> conditions_of(const program& what, std::size_t extract, const profile& where) {
  const program_node& node = what.nodes[extract];
  const asset_binding& bound = where.assets.at(node.asset);
  const auto looks_at_it = [&](const quality_gate& gate) { return gate.of == node.asset; };
  if (bound.reject_future != duration::zero() || bound.watermark_per != watermark_unit::input ||
      std::any_of(where.quality.begin(), where.quality.end(), looks_at_it))
    return {};
  std::vector<row_condition> found;
  std::size_t readers = 0;
  for (const program_node& reader : what.nodes)
    for (std::size_t input = 0; input < reader.inputs.size(); ++input) {
      if (reader.inputs[input].node != extract || reader.inputs[input].port != 0) continue;
      ++readers;
      for (const input_conditions& each : reader.conditions)
        if (each.input == input && each.readers == 1) found = each.all;
    }
  return readers == 1 ? found : std::vector<row_condition>();
}

}  // namespace etlantic::detail
