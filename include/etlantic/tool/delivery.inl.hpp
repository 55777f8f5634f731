#pragma once
#include <etlantic/tool/delivery.hpp>
#include <etlantic/tool/reference.hpp>

namespace etlantic {

[[gnu::used]] inline delivery delivery_between(const asset_binding& source, const asset_binding& sink,
                                               const profile& where) {
  if (source.made_source || sink.made_sink)
    return {"not stated", "an end that the program made itself says what it promises"};
  if (source.connector == "memory")
    return {"not stated", "a memory source ends with its process: what was not committed then is gone"};
  if (source.connector != "file" && source.connector != "delta")
    return {"not stated", "the connector " + source.connector + " has no stated guarantee"};
  if (where.checkpoint.empty())
    return {"at least once", "there is no checkpoint: a restart reads everything again and publishes all rows again"};
  const std::string replay = source.connector == "delta"
                                 ? "the checkpoint is kept, and no VACUUM removes what was planned and not yet read"
                                 : "the checkpoint is kept, and files keep what was read of them until a snapshot of "
                                   "the state holds their batch";
  if (sink.connector == "sqlite")
    return {"effectively exactly once", replay + "; rows and batch id are one transaction of the database"};
  if (sink.connector == "delta")
    return {"effectively exactly once", replay + "; rows and batch id are one commit of the table's log"};
  if (sink.connector == "file")
    return {"effectively exactly once", replay + "; a replayed batch writes the file of the same name again"};
  if (sink.connector == "console") return {"at least once", replay + "; a replayed batch is printed again"};
  if (sink.connector == "memory") return {"not stated", "a memory sink ends with its process: what it held is gone"};
  return {"not stated", "the connector " + sink.connector + " has no stated guarantee"};
}

[[gnu::used]] inline std::vector<std::size_t> extracts_of(const program& what, std::size_t node) {
  std::vector<bool> reached(what.nodes.size());
  reached[node] = true;
  // nodes are in topological order: walking backwards meets every node after all that read it
  for (std::size_t i = node + 1; i-- > 0;) {
    if (!reached[i]) continue;
    for (const port_reference& input : what.nodes[i].inputs) reached[input.node] = true;
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < what.nodes.size(); ++i)
    if (reached[i] && what.nodes[i].kind == node_kind::extract) found.push_back(i);
  return found;
}

[[gnu::used]] inline std::string binding_text(const asset_binding& binding) {
  if (binding.made_source) return "made by the program: " + binding.made_source->describe();
  if (binding.made_sink) return "made by the program: " + binding.made_sink->describe();
  std::string text = binding.connector;
  for (const auto& [name, value] : binding.options) text += " " + name + "=" + printable_option(name, value);
  return text;
}

}  // namespace etlantic
