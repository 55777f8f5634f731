#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/changed_state.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/fingerprint.hpp>
#include <etlantic/runtime/renamed_fields.hpp>

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace etlantic {

namespace detail {

// 2: snapshots hold the state of a step in another form than the pipeline does.
inline constexpr std::int64_t identity_record_version = 2;

inline std::string describe(const std::vector<setting>& settings) {
  std::string text;
  for (const setting& each : settings) text += (text.empty() ? "" : ", ") + each.name + "=" + each.value;
  return text;
}

inline std::string describe(const program& what, const std::vector<port_reference>& inputs) {
  std::string text;
  for (const port_reference& input : inputs) {
    const program_node& node = what.nodes[input.node];
    text += (text.empty() ? "" : ", ") + node.name + "." + node.outputs[input.port].name;
  }
  return text;
}

/// Operators whose settings may change while the state stays: they choose rows and times of later batches only.
inline bool may_change(const operator_description& each) {
  return each.name == "where" || each.name == "watermark" || each.name == "accept_late" || each.name == "correct_late";
}

inline void add_part(std::string& to, const std::string& part) {
  if (!part.empty()) to += (to.empty() ? "" : " | ") + part;
}

inline std::string describe_operators(const program_node& node, bool changeable) {
  std::string text;
  for (const operator_description& each : node.operators)
    if (may_change(each) == changeable) add_part(text, each.name + "(" + describe(each.settings) + ")");
  return text;
}

inline void describe_step(const program& what, const program_node& node, identity_node& into) {
  add_part(into.meaning, describe(what, node.inputs));
  add_part(into.meaning, describe_operators(node, false));
  add_part(into.settings, describe_operators(node, true));
  add_part(into.settings, describe(node.parameters));
  for (const followed_watermark& each : node.watermarks) {
    const std::string of = node.watermarks.size() == 1 ? "" : " of " + each.input;
    add_part(into.meaning, "event time " + each.event_time + of);
    add_part(into.settings, "delay " + std::to_string(each.delay.count()) + " us" + of);
  }
}

inline std::string describe_target(const program_node& load) { return " into " + load.asset + ", contract "; }

inline identity_node identify(const program& what, const program_node& node) {
  identity_node made{node.name, node.kind, {}, {}, node.state_schema};
  const std::string contract =
      node.contract == nullptr ? "" : std::string(node.contract->id) + " " + std::string(node.contract->version);
  switch (node.kind) {
    case node_kind::extract:
      made.settings = "contract " + contract + ", asset " + node.asset;
      for (const std::string& zone : node.zones) made.settings += ", times of " + zone;
      break;
    case node_kind::load:
      made.settings =
          describe(what, node.inputs) + describe_target(node) + contract + ", " + std::string(name_of(node.mode));
      break;
    case node_kind::step: describe_step(what, node, made); break;
  }
  return made;
}

inline const identity_node* find(const checkpoint_identity& where, const std::string& name) {
  const auto found = std::find_if(where.nodes.begin(), where.nodes.end(),
                                  [&](const identity_node& node) { return node.name == name; });
  return found == where.nodes.end() ? nullptr : &*found;
}

inline bool has_state(const checkpoint_identity& where) {
  return std::any_of(where.nodes.begin(), where.nodes.end(),
                     [](const identity_node& node) { return !node.state_schema.empty(); });
}

inline std::string quoted(const identity_node& node) {
  return std::string(name_of(node.kind)) + " '" + node.name + "'";
}

inline std::string from_to(const std::string& from, const std::string& to) {
  return " from '" + from + "' to '" + to + "'";
}

/// Sorts the differences of two identities into those that a checkpoint survives and those that it does not.
struct identity_differences {
  bool stateful = false;
  std::vector<std::string> refused;
  std::vector<std::string> accepted;

  void note(bool harmless, std::string sentence) { (harmless ? accepted : refused).push_back(std::move(sentence)); }

  void gone(const identity_node& old) {
    const bool harmless = old.kind == node_kind::load || (old.kind == node_kind::step && !stateful);
    note(harmless, quoted(old) + " is not in the pipeline any more");
  }
  void added(const identity_node& now) { note(now.kind == node_kind::load || !stateful, quoted(now) + " is new"); }
  void changed(const identity_node& old, const identity_node& now) {
    if (old.kind != now.kind) return note(false, quoted(old) + " has become a " + std::string(name_of(now.kind)));
    const state_change state = change_of_state(old.state_schema, now.state_schema);
    if (!state.readable)
      note(false, "the state of " + quoted(old) + " changed" + from_to(old.state_schema, now.state_schema) +
                      (state.reason.empty() ? "" : " (" + state.reason + ")"));
    for (const std::string& each : state.told)
      if (state.readable) note(true, quoted(old) + ": " + each);
    if (state.readable && state.told.empty() && is_wider_state(old.state_schema, now.state_schema))
      if (old.state_schema != now.state_schema)
        note(true, "the state of " + quoted(old) + " changed" + from_to(old.state_schema, now.state_schema));
    if (state.readable && old.meaning != now.meaning &&
        without_aggregates(old.meaning, old.state_schema) != without_aggregates(now.meaning, now.state_schema))
      note(!stateful, quoted(old) + " changed" + from_to(old.meaning, now.meaning));
    if (old.settings != now.settings) note(true, quoted(old) + " changed" + from_to(old.settings, now.settings));
  }
};

inline identity_differences differences(const checkpoint_identity& stored, const checkpoint_identity& wanted) {
  identity_differences found;
  found.stateful = has_state(stored) || has_state(wanted);
  for (const identity_node& old : stored.nodes) {
    const identity_node* now = find(wanted, old.name);
    if (now == nullptr)
      found.gone(old);
    else
      found.changed(old, *now);
  }
  for (const identity_node& now : wanted.nodes)
    if (find(stored, now.name) == nullptr) found.added(now);
  return found;
}

/// The same with the names of now, and which of them are new.
inline result<std::vector<std::string>> compare_renamed(const checkpoint_identity& stored, checkpoint_identity wanted,
                                                        const std::string& directory) {
  const std::vector<renamed_field> renames = std::exchange(wanted.renames, {});
  std::vector<std::string> told;
  const checkpoint_identity renamed = with_new_names(stored, wanted, renames);
  for (const renamed_field& each : renames) {
    std::vector<renamed_field> others = renames;
    *std::find(others.begin(), others.end(), each) = {};
    if (with_new_names(stored, wanted, others) != renamed)
      told.push_back("step '" + each.step + "': field '" + each.before + "' is called '" + each.now + "' now");
  }
  result<std::vector<std::string>> accepted = compare(renamed, wanted, directory);
  if (accepted) accepted->insert(accepted->begin(), told.begin(), told.end());
  return accepted;
}

}  // namespace detail

[[gnu::used]] inline result<std::string> make_query_id() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    return failure{failure_class::internal, "PMSTREAM479", "the system gives no random numbers for a query id",
                   "getrandom", "Start the query again."};
  std::string text;
  for (unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 0xfu];
  }
  return text;
}

[[gnu::used]] inline checkpoint_identity identify(const program& what, std::string query, timestamp created) {
  checkpoint_identity made;
  made.query = std::move(query);
  made.pipeline = what.id;
  made.pipeline_version = what.version;
  made.created = created;
  for (const program_node& node : what.nodes) made.nodes.push_back(detail::identify(what, node));

  // Nodes by name: the order in which a pipeline lists them says nothing.
  std::vector<identity_node> sorted = made.nodes;
  std::sort(sorted.begin(), sorted.end(),
            [](const identity_node& a, const identity_node& b) { return a.name < b.name; });
  fingerprint plan;
  fingerprint state;
  plan.add(what.id);
  for (const identity_node& node : sorted) {
    plan.add(node.name).add(name_of(node.kind)).add(node.meaning).add(node.settings).add(node.state_schema);
    if (!node.state_schema.empty()) state.add(node.name).add(node.state_schema);
  }
  made.plan_fingerprint = plan.text();
  made.state_fingerprint = state.text();
  made.renames = detail::renames_of(what);
  return made;
}

[[gnu::used]] inline result<std::vector<std::string>> compare(const checkpoint_identity& stored,
                                                              const checkpoint_identity& wanted,
                                                              const std::string& directory) {
  if (!wanted.renames.empty()) return detail::compare_renamed(stored, wanted, directory);
  const std::string fresh =
      "name a new checkpoint directory in the profile, and the sources are read from the beginning";
  if (stored.pipeline != wanted.pipeline)
    return failure{failure_class::checkpoint, "PMSTREAM465",
                   "checkpoint '" + directory + "' belongs to pipeline '" + stored.pipeline + "', not to '" +
                       wanted.pipeline + "'",
                   directory, "Every pipeline needs a directory of its own: " + fresh + "."};
  detail::identity_differences found = detail::differences(stored, wanted);
  if (found.refused.empty()) return std::move(found.accepted);
  std::string sentence = "the pipeline cannot go on from checkpoint '" + directory + "'";
  for (const std::string& each : found.refused) sentence += (&each == found.refused.data() ? ": " : "; ") + each;
  return failure{failure_class::checkpoint, "PMSTREAM465", sentence, directory,
                 "Run the pipeline as it was before the change, or " + fresh +
                     ". Delays, where-predicates and loads may change at any time, the decimals of sums may get more "
                     "digits, aggregates with optional fields may be added, and fields may get other names that say "
                     "renamed_from."};
}

[[gnu::used]] inline result<void> verify_computation(const checkpoint_identity& stored,
                                                     const checkpoint_identity& wanted, std::int64_t first_batch,
                                                     std::int64_t last_batch, const std::string& directory) {
  detail::identity_differences found;
  found.stateful = true;
  for (const identity_node& now : wanted.nodes) {
    if (now.kind == node_kind::load) continue;
    const identity_node* old = detail::find(stored, now.name);
    if (old == nullptr)
      found.added(now);
    else if (*old != now)
      found.changed(*old, now);
  }
  for (const identity_node& old : stored.nodes)
    if (old.kind != node_kind::load && detail::find(wanted, old.name) == nullptr) found.gone(old);
  if (found.refused.empty() && found.accepted.empty()) return {};
  std::vector<std::string> changes = std::move(found.refused);
  changes.insert(changes.end(), found.accepted.begin(), found.accepted.end());
  std::string sentence = "the last run did not stop cleanly, so that batches " + std::to_string(first_batch) + " to " +
                         std::to_string(last_batch) + " must be computed again as they were, but the pipeline changed";
  for (const std::string& each : changes) sentence += (&each == changes.data() ? ": " : "; ") + each;
  return failure{failure_class::checkpoint, "PMSTREAM468", sentence, directory,
                 "Run the pipeline as it was before the change once and let it stop by itself or by a signal: that "
                 "writes a snapshot. Then change it."};
}

[[gnu::used]] inline std::string state_schema_at(const checkpoint_identity& stored, const std::string& step,
                                                 std::int64_t batch) {
  for (const earlier_state& each : stored.earlier)
    if (each.step == step && batch <= each.last_batch) return each.state_schema;
  const identity_node* found = detail::find(stored, step);
  return found == nullptr ? std::string() : found->state_schema;
}

[[gnu::used]] inline void note_earlier_states(const checkpoint_identity& stored, checkpoint_identity& wanted,
                                              std::int64_t last_batch) {
  for (const identity_node& old : stored.nodes) {
    const identity_node* now = detail::find(wanted, old.name);
    if (now != nullptr && detail::change_of_state(old.state_schema, now->state_schema).rearranged)
      wanted.earlier.push_back({last_batch, old.name, old.state_schema});
  }
}

[[gnu::used]] inline bool had_load(const checkpoint_identity& stored, const program_node& load) {
  const identity_node* found = detail::find(stored, load.name);
  return found != nullptr && found->kind == node_kind::load &&
         found->settings.find(detail::describe_target(load)) != std::string::npos;
}

[[gnu::used]] inline std::string to_record(const checkpoint_identity& identity) {
  record_writer record("identity", identity.earlier.empty() ? 1 : 2);
  record.line()
      .put("query", identity.query)
      .put("pipeline", identity.pipeline)
      .put("pipeline_version", identity.pipeline_version)
      .put("plan_fingerprint", identity.plan_fingerprint)
      .put("state_fingerprint", identity.state_fingerprint)
      .put("created", identity.created.microseconds);
  for (const identity_node& node : identity.nodes)
    record.line()
        .put("node", node.name)
        .put("kind", name_of(node.kind))
        .put("meaning", node.meaning)
        .put("settings", node.settings)
        .put("state_schema", node.state_schema);
  for (const earlier_state& each : identity.earlier)
    record.line().put("earlier", each.step).put("last_batch", each.last_batch).put("state_schema", each.state_schema);
  return std::move(record).close();
}

[[gnu::used]] inline result<checkpoint_identity> read_identity_record(std::string_view bytes, const std::string& path) {
  result<record_reader> opened = record_reader::open(bytes, "identity", detail::identity_record_version, path);
  if (!opened) return opened.error();
  record_reader& record = *opened;
  if (record.size() != bytes.size()) return damaged_file(path, record.size(), "more follows than belongs there");
  checkpoint_identity identity;
  identity.query = record.line().text("query");
  identity.pipeline = record.text("pipeline");
  identity.pipeline_version = record.text("pipeline_version");
  identity.plan_fingerprint = record.text("plan_fingerprint");
  identity.state_fingerprint = record.text("state_fingerprint");
  identity.created = {record.integer("created")};
  while (record.next_line_starts_with("node")) {
    identity_node node;
    node.name = record.line().text("node");
    const std::string kind = record.text("kind");
    for (node_kind each : {node_kind::extract, node_kind::step, node_kind::load})
      if (kind == name_of(each)) node.kind = each;
    node.meaning = record.text("meaning");
    node.settings = record.text("settings");
    node.state_schema = record.text("state_schema");
    identity.nodes.push_back(std::move(node));
  }
  while (record.next_line_starts_with("earlier")) {
    earlier_state each;
    each.step = record.line().text("earlier");
    each.last_batch = record.integer("last_batch");
    each.state_schema = record.text("state_schema");
    identity.earlier.push_back(std::move(each));
  }
  if (result<void> whole = record.finish(); !whole) return whole.error();
  return identity;
}

}  // namespace etlantic
