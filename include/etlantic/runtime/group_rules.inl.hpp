#pragma once
#include <etlantic/runtime/event_times.hpp>
#include <etlantic/runtime/group_rules.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace etlantic {

namespace detail {

inline std::string joined_names(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
  return all;
}

inline bool is_reference_input(const program_node& step, std::size_t input) {
  return std::any_of(step.references.begin(), step.references.end(),
                     [&](const reference_input& each) { return each.input == input; });
}

/// Follows the fields by which the input is partitioned through a pipeline, by their names. What it cannot see it takes
/// for lost, so that it may refuse a pipeline that would be right, and never lets a wrong one pass.
class split_key_search {
 public:
  split_key_search(const program& what, const asset_binding& shared, std::size_t extract)
      : program_(what), extract_(extract), keys_(shared.partitioned_by.begin(), shared.partitioned_by.end()) {
    path_ = "assets." + what.nodes[extract].asset;
  }

  std::vector<group_problem> search() {
    carries_.resize(program_.nodes.size());
    for (std::size_t i = 0; i < program_.nodes.size(); ++i)
      if (program_.nodes[i].kind == node_kind::step) look_at(i);
    return std::move(found_);
  }

 private:
  const program& program_;
  std::size_t extract_;
  std::set<std::string> keys_;
  std::string path_;
  std::vector<std::set<std::string>> carries_;  // of each step: key fields that its results still have, unchanged
  std::vector<group_problem> found_;

  void look_at(std::size_t index) {
    const program_node& step = program_.nodes[index];
    std::set<std::string> fields;
    std::size_t streams = 0;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      if (is_reference_input(step, i)) continue;
      ++streams;
      const port_reference& from = step.inputs[i];
      const bool is_plain = !program_.nodes[from.node].outputs[from.port].is_side;
      if (from.node == extract_)
        fields = from.port == 0 ? keys_ : std::set<std::string>();
      else
        fields = is_plain ? carries_[from.node] : std::set<std::string>();
    }
    if (!step.state_schema.empty() && streams > 1) return refuse_streams(step);
    if (!step.state_schema.empty() && keys_.empty()) return refuse_without_keys(step);
    if (streams > 1) fields.clear();
    carries_[index] = follow(step, std::move(fields));
  }

  std::set<std::string> follow(const program_node& step, std::set<std::string> fields) {
    int open_groups = 0;
    for (const operator_description& each : step.operators) {
      if (each.name == "group_by" || each.name == "deduplicate" || each.name == "latest_by") {
        if (!has_all(each, fields)) {
          refuse_keys(step, each);
          return {};
        }
        open_groups += each.name == "group_by";
      } else if (each.name == "aggregate" || each.name == "top" || each.name == "lag" || each.name == "process") {
        if (open_groups-- <= 0) {
          refuse_ungrouped(step, each.name);
          return {};
        }
        if (each.name == "process") fields.clear();
        for (const setting& made : each.settings) fields.erase(each.name == "lag" ? made.value : made.name);
      } else if (each.name == "derive") {
        for (const setting& made : each.settings) fields.erase(made.name);
      } else if (each.name == "select" || each.name == "union_all" || each.name == "join") {
        fields.clear();
      }
      if (each.name == "join" && !step.state_schema.empty()) {
        refuse_streams(step);
        return {};
      }
    }
    return fields;
  }

  static std::string keys_of(const operator_description& of) {
    for (const setting& each : of.settings)
      if (each.name == "keys") return each.value;
    return {};
  }

  bool has_all(const operator_description& of, const std::set<std::string>& fields) const {
    const std::string names = keys_of(of);
    return std::all_of(keys_.begin(), keys_.end(),
                       [&](const std::string& key) { return fields.contains(key) && lists(names, key); });
  }

  std::string all_keys() const { return joined_names({keys_.begin(), keys_.end()}); }

  void refuse_streams(const program_node& step) {
    found_.push_back({ungroupable_code,
                      "the step '" + step.name + "' keeps rows of several streams, and a group shares one",
                      path_ + ".intake",
                      "Run it with intake: planned, in which one process reads all partitions, or bring the rows into "
                      "one topic by a pipeline of its own."});
  }
  void refuse_without_keys(const program_node& step) {
    found_.push_back(
        {split_keys_code,
         "the step '" + step.name + "' keeps state, and it is not known by which fields the input is partitioned",
         path_ + ".intake",
         "If all records of one key are in one partition, say so: partitioned_by: [field]. Otherwise run "
         "it with intake: planned."});
  }
  void refuse_keys(const program_node& step, const operator_description& of) {
    found_.push_back({split_keys_code,
                      "the step '" + step.name + "' keeps state by '" + keys_of(of) + "' (" + of.name +
                          "), and the input is partitioned by '" + all_keys() +
                          "': rows of one key may be in several partitions",
                      path_ + ".partitioned_by",
                      "The keys must contain the fields of partitioned_by as the extract has them, before any select "
                      "or derive that makes them anew. Otherwise write the rows to a topic that is partitioned by the "
                      "new key, by a pipeline of its own, and read that one; or run this with intake: planned."});
  }
  void refuse_ungrouped(const program_node& step, const std::string& name) {
    found_.push_back({split_keys_code,
                      "the step '" + step.name + "' puts rows of all partitions together (" + name +
                          " without keys), and no process sees all of them",
                      path_ + ".intake", "Run it with intake: planned, in which one process reads all partitions."});
  }
};

inline void find_ungroupable(const program& what, const profile& where, std::size_t extract,
                             std::vector<group_problem>& into) {
  const program_node& shared = what.nodes[extract];
  const std::string path = "assets." + shared.asset;
  const auto refuse = [&](std::string message, std::string at, std::string help) {
    into.push_back({ungroupable_code, std::move(message), std::move(at), std::move(help)});
  };
  if (where.checkpoint.empty())
    refuse("processes that share an input hand over through their checkpoint, and there is none", "checkpoint",
           "Add checkpoint: {path: ...}, a folder that all processes of the group see.");
  std::set<std::size_t> looked_up;
  for (const program_node& node : what.nodes)
    for (const reference_input& each : node.references) looked_up.insert(node.inputs[each.input].node);
  if (looked_up.contains(extract))
    refuse("'" + shared.name + "' is looked up, and a reference is read as a whole", path + ".intake",
           "Remove intake: group from the reference.");
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    const program_node& node = what.nodes[i];
    const auto bound = where.assets.find(node.asset);
    if (node.kind != node_kind::step && bound != where.assets.end() &&
        (bound->second.made_sink || bound->second.made_source))
      refuse("'" + node.name +
                 "' is bound to an object of the program, which queries of several partitions would use at "
                 "the same time",
             "assets." + node.asset, "Bind it to a connector.");
    if (node.kind == node_kind::extract && i != extract && !looked_up.contains(i))
      refuse("'" + node.name + "' is read too, and a group shares one input", path + ".intake",
             "Run it with intake: planned, or put the inputs into pipelines of their own.");
    if (node.kind == node_kind::load && node.mode == output_mode::complete)
      refuse("the load '" + node.name + "' replaces its whole target, which holds results of all partitions",
             path + ".intake", "Use update mode, or intake: planned.");
    for (const output_port& port : node.outputs)
      if (port.corrected)
        refuse("the step '" + node.name + "' keeps the windows that late rows missed, which a group has no place for",
               path + ".intake", "Leave correct_late out, or use intake: planned.");
  }
  const auto& fields = shared.contract->fields;
  for (const std::string& each : where.assets.at(shared.asset).partitioned_by)
    if (std::none_of(fields.begin(), fields.end(), [&](const field_description& field) { return field.name == each; }))
      into.push_back({split_keys_code, "the rows of '" + shared.name + "' have no field '" + each + "'",
                      path + ".partitioned_by",
                      "Name fields of the contract " + std::string(shared.contract->id) + "."});
}

}  // namespace detail

[[gnu::used]] inline std::optional<std::size_t> grouped_extract(const program& what, const profile& where) {
  for (std::size_t i = 0; i < what.nodes.size(); ++i) {
    if (what.nodes[i].kind != node_kind::extract) continue;
    const auto bound = where.assets.find(what.nodes[i].asset);
    if (bound != where.assets.end() && bound->second.intake == intake_mode::group) return i;
  }
  return std::nullopt;
}

[[gnu::used]] inline std::vector<group_problem> problems_of_group(const program& what, const profile& where) {
  const std::optional<std::size_t> extract = grouped_extract(what, where);
  if (!extract) return {};
  std::vector<group_problem> found;
  detail::find_ungroupable(what, where, *extract, found);
  if (!found.empty()) return found;
  return detail::split_key_search(what, where.assets.at(what.nodes[*extract].asset), *extract).search();
}

[[gnu::used]] inline std::string group_assumption(const program& what, const profile& where, std::size_t extract) {
  const asset_binding& shared = where.assets.at(what.nodes[extract].asset);
  if (shared.partitioned_by.empty()) return "nothing about keys: no step keeps state";
  return "all rows of one '" + detail::joined_names(shared.partitioned_by) + "' are in one partition, for ever";
}

}  // namespace etlantic
