#pragma once
#include <etlantic/runtime/changed_state.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// The fields of a step's inputs and outputs that say how they were called before.
inline void add_renames(const schema* contract, const std::string& step, std::vector<renamed_field>& into) {
  if (contract == nullptr) return;
  for (const field_description& each : contract->fields)
    if (!each.former_name.empty()) {
      renamed_field made{step, std::string(each.former_name), std::string(each.name)};
      if (std::find(into.begin(), into.end(), made) == into.end()) into.push_back(std::move(made));
    }
}
inline std::vector<renamed_field> renames_of(const program& what) {
  std::vector<renamed_field> found;
  for (const program_node& node : what.nodes) {
    if (node.kind != node_kind::step) continue;
    for (const port_reference& each : node.inputs)
      add_renames(what.nodes[each.node].outputs[each.port].contract, node.name, found);
    for (const output_port& each : node.outputs) add_renames(each.contract, node.name, found);
  }
  return found;
}

constexpr bool is_part_of_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_';
}

inline const renamed_field* rename_of(std::string_view before, const std::string& step,
                                      const std::vector<renamed_field>& renames) {
  for (const renamed_field& each : renames)
    if (each.step == step && each.before == before) return &each;
  return nullptr;
}

/// A description with new names in the place of old ones, read beside the description of now: a word becomes a new name
/// where that one has it, since descriptions have other words too, and a field may be called `time` or `count`. From
/// where the two differ in more than words the rest stays as it was.
inline std::string with_new_names(std::string_view old, std::string_view now, const std::string& step,
                                  const std::vector<renamed_field>& renames) {
  std::string made;
  std::size_t at = 0;
  for (std::size_t beside = 0; at < old.size() && beside < now.size();) {
    if (!is_part_of_name(old[at])) {
      if (old[at] != now[beside]) break;
      made += old[at++];
      ++beside;
      continue;
    }
    const std::size_t begin = at, begin_beside = beside;
    while (at < old.size() && is_part_of_name(old[at])) ++at;
    while (beside < now.size() && is_part_of_name(now[beside])) ++beside;
    const std::string_view word = old.substr(begin, at - begin);
    const renamed_field* renamed = rename_of(word, step, renames);
    const bool has_new_name = renamed != nullptr && renamed->now == now.substr(begin_beside, beside - begin_beside);
    made += has_new_name ? std::string_view(renamed->now) : word;
  }
  return made += old.substr(at);
}

/// The same part by part: aggregates by their names, the other parts by their order.
inline std::string state_with_new_names(std::string_view old, std::string_view now, const std::string& step,
                                        const std::vector<renamed_field>& renames) {
  std::vector<std::string_view> others;
  std::vector<std::pair<std::string_view, std::string_view>> aggregates;  // name and part
  for (const std::string_view part : parts_of_state(now)) {
    const std::optional<kept_aggregate> found = aggregate_of(part);
    if (found)
      aggregates.emplace_back(found->name, part);
    else
      others.push_back(part);
  }
  std::string made;
  std::size_t other = 0;
  for (const std::string_view part : parts_of_state(old)) {
    std::string_view beside;
    if (const std::optional<kept_aggregate> found = aggregate_of(part)) {
      const renamed_field* renamed = rename_of(found->name, step, renames);
      for (const auto& [name, text] : aggregates)
        if (name == found->name || (renamed != nullptr && name == renamed->now)) beside = text;
    } else if (other < others.size())
      beside = others[other++];
    made += (made.empty() ? "" : "; ") + with_new_names(part, beside, step, renames);
  }
  return made;
}

/// What a checkpoint has, as a pipeline calls it that says which fields have new names.
inline checkpoint_identity with_new_names(checkpoint_identity stored, const checkpoint_identity& wanted,
                                          const std::vector<renamed_field>& renames) {
  if (renames.empty()) return stored;
  const auto now_of = [&](const std::string& step) -> const identity_node* {
    for (const identity_node& each : wanted.nodes)
      if (each.name == step) return &each;
    return nullptr;
  };
  for (identity_node& old : stored.nodes) {
    const identity_node* now = now_of(old.name);
    if (now == nullptr || *now == old) continue;
    // Of aggregates, which may be others, the state tells all.
    old.meaning = with_new_names(without_aggregates(old.meaning, old.state_schema),
                                 without_aggregates(now->meaning, now->state_schema), old.name, renames);
    old.settings = with_new_names(old.settings, now->settings, old.name, renames);
    old.state_schema = state_with_new_names(old.state_schema, now->state_schema, old.name, renames);
  }
  for (earlier_state& each : stored.earlier)
    if (const identity_node* now = now_of(each.step))
      each.state_schema = state_with_new_names(each.state_schema, now->state_schema, each.step, renames);
  return stored;
}

}  // namespace etlantic::detail
