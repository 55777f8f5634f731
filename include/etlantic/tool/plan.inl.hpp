#pragma once
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/tool/plan.hpp>

#include <algorithm>

namespace etlantic {

[[gnu::used]] inline std::string plan_fingerprint(const program& what) {
  return identify(what, {}, {}).plan_fingerprint;
}

[[gnu::used]] inline std::vector<std::string> readers_of(const program& what, port_reference output) {
  std::vector<std::string> readers;
  for (const program_node& node : what.nodes)
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i].node == output.node && node.inputs[i].port == output.port)
        readers.push_back(node.name + "." + (i < node.input_names.size() ? node.input_names[i] : "rows"));
  return readers;
}

[[gnu::used]] inline std::vector<std::string> merge_key_of(const schema& contract) {
  std::vector<const field_description*> fields;
  for (const field_description& each : contract.fields)
    if (each.key_position >= 0) fields.push_back(&each);
  std::sort(fields.begin(), fields.end(),
            [](const auto* a, const auto* b) { return a->key_position < b->key_position; });
  std::vector<std::string> names;
  for (const field_description* each : fields) names.emplace_back(each->name);
  return names;
}

[[gnu::used]] inline std::vector<const operator_description*> windows_of(const program_node& node) {
  std::vector<const operator_description*> windows;
  for (const operator_description& each : node.operators)
    for (const char* window : {"tumbling", "sliding", "session"})
      if (each.name == window) windows.push_back(&each);
  return windows;
}

}  // namespace etlantic
