#pragma once
#include <etlantic/runtime/program.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// Times in the future are to be rejected where no field is an event time.
inline constexpr std::string_view unguarded_future_code = "PMPLAN206";
/// Watermarks are to be followed split by split where none follows the input.
inline constexpr std::string_view unfollowed_splits_code = "PMPLAN210";

namespace detail {

/// Whether a name stands in a list as watermarks have them: `orders, refunds`.
inline bool lists(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t comma = names.find(", ");
    if (names.substr(0, comma) == name) return true;
    names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 2);
  }
  return false;
}

}  // namespace detail

/// The inputs of a step that a watermark of it follows.
inline std::vector<port_reference> inputs_of(const program_node& step, const followed_watermark& of) {
  std::vector<port_reference> found;
  for (std::size_t i = 0; i < std::min(step.inputs.size(), step.input_names.size()); ++i)
    if (detail::lists(of.input, step.input_names[i])) found.push_back(step.inputs[i]);
  return found;
}

/// The fields of an extract's contract, by place, that a watermark of a step follows which reads its valid rows.
inline std::vector<std::size_t> event_time_fields(const program& what, std::size_t extract) {
  const auto& fields = what.nodes[extract].contract->fields;
  std::vector<std::size_t> found;
  const auto add = [&](std::string_view name) {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i].name == name && fields[i].type == logical_type::timestamp &&
          std::find(found.begin(), found.end(), i) == found.end())
        found.push_back(i);
  };
  for (const program_node& step : what.nodes)
    for (const followed_watermark& each : step.watermarks)
      for (const port_reference& from : inputs_of(step, each))
        if (from.node == extract && from.port == 0) add(each.event_time);
  return found;
}

/// The extracts that a node's rows come from, by place; not those that are only looked up.
inline void add_origins(const program& what, std::size_t node, std::vector<std::size_t>& to) {
  if (what.nodes[node].kind == node_kind::extract) {
    if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
    return;
  }
  const program_node& step = what.nodes[node];
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    if (std::none_of(step.references.begin(), step.references.end(),
                     [&](const reference_input& each) { return each.input == i; }))
      add_origins(what, step.inputs[i].node, to);
}

/// The extracts whose rows move a watermark of a step.
inline std::vector<std::size_t> origins_of(const program& what, const program_node& step,
                                           const followed_watermark& of) {
  std::vector<std::size_t> found;
  for (const port_reference& from : inputs_of(step, of)) add_origins(what, from.node, found);
  return found;
}

/// Whether rows of an extract move any watermark.
inline bool moves_a_watermark(const program& what, std::size_t extract) {
  for (const program_node& step : what.nodes)
    for (const followed_watermark& each : step.watermarks) {
      const std::vector<std::size_t> origins = origins_of(what, step, each);
      if (std::find(origins.begin(), origins.end(), extract) != origins.end()) return true;
    }
  return false;
}

}  // namespace etlantic
