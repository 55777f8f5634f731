#pragma once
#include <etlantic/tool/delivery.hpp>
#include <etlantic/tool/reference.hpp>

namespace etlantic {

namespace detail {

inline delivery without_checkpoint(const asset_binding& source) {
  if (source.connector != "kafka")
    return {"at least once", "there is no checkpoint: a restart reads everything again and publishes all rows again"};
  const auto start = source.options.find("start");
  if (start != source.options.end() && start->second == "latest")
    return {"at most once",
            "there is no checkpoint: a restart begins at the end of the topics, whatever was read of them"};
  return {"at least once", "there is no checkpoint: a restart begins where `start` says and publishes all rows again"};
}

}  // namespace detail

[[gnu::used]] inline delivery delivery_between(const asset_binding& source, const asset_binding& sink,
                                               const profile& where) {
  if (source.made_source || sink.made_sink)
    return {"not stated", "an end that the program made itself says what it promises"};
  if (source.connector == "memory")
    return {"not stated", "a memory source ends with its process: what was not committed then is gone"};
  if (source.connector != "file" && source.connector != "kafka" && source.connector != "delta")
    return {"not stated", "the connector " + source.connector + " has no stated guarantee"};
  if (where.checkpoint.empty()) return detail::without_checkpoint(source);
  const auto on_loss = source.options.find("on_data_loss");
  const bool passes_losses =
      source.connector == "kafka" && on_loss != source.options.end() && on_loss->second == "continue";
  const std::string keeps = passes_losses                 ? "topics keep what was not read yet, and what was read"
                            : source.connector == "kafka" ? "topics keep what was read"
                            : source.connector == "delta" ? "no VACUUM removes what was planned and not yet read"
                                                          : "files keep what was read of them";
  const std::string replay = "the checkpoint is kept, and " + keeps +
                             (source.connector == "delta" ? "" : " until a snapshot of the state holds their batch");
  if (sink.connector == "sqlite")
    return {"effectively exactly once", replay + "; rows and batch id are one transaction of the database"};
  if (sink.connector == "delta")
    return {"effectively exactly once", replay + "; rows and batch id are one commit of the table's log"};
  if (sink.connector == "file")
    return {"effectively exactly once", replay + "; a replayed batch writes the file of the same name again"};
  if (sink.connector == "kafka") {
    const auto delivery = sink.options.find("delivery");
    if (delivery != sink.options.end() && delivery->second == "at_least_once")
      return {"at least once", replay + "; a replayed batch is written again, with the same headers"};
    const auto format = sink.options.find("format");
    const bool is_dead_letter = format != sink.options.end() && format->second == "dead_letter";
    return {"effectively exactly once",
            replay + (is_dead_letter ? "; rejected rows, as they came," : "; rows") +
                " and batch id are one transaction, for consumers that read what is committed"};
  }
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
