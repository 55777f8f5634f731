#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint.hpp>
#include <etlantic/runtime/checkpoint_listing.hpp>
#include <etlantic/runtime/checksum.hpp>
#include <etlantic/runtime/durable_file.hpp>

#include <algorithm>

namespace etlantic {

namespace detail {

inline constexpr std::int64_t reference_record_version = 1;

/// Whether a directory is as a crash before the first identity may have left it: nothing in it but our lock, empty
/// folders and temporary files.
inline result<void> verify_fresh(const checkpoint_layout& layout) {
  const result<std::vector<std::string>> names = list_directory(layout.directory);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    if (name == "lock" || checkpoint_layout::is_temporary(name)) continue;
    const std::string path = layout.directory + "/" + name;
    if (name == "batches" || name == "state") {
      const result<std::vector<std::string>> inside = list_directory(path);
      if (!inside) return inside.error();
      if (inside->empty()) continue;
      return missing_file(layout.identity(), "'" + path + "' holds records of batches whose owner is not known");
    }
    return foreign_file(path, "the directory has no identity.json, so it is no checkpoint, and it is not empty");
  }
  return {};
}

inline result<checkpoint_identity> load_identity(const checkpoint_layout& layout) {
  const result<std::string> bytes = read_file(layout.identity());
  if (!bytes) return bytes.error();
  return read_identity_record(*bytes, layout.identity());
}

}  // namespace detail

[[gnu::used]] inline result<checkpoint> checkpoint::open(const std::string& directory,
                                                         const checkpoint_identity& wanted,
                                                         std::optional<checkpoint_lock> held) {
  if (result<void> made = make_directories_durably(directory); !made) return made.error();
  result<checkpoint_lock> lock =
      held ? result<checkpoint_lock>(std::move(*held)) : checkpoint_lock::take(directory);
  if (!lock) return lock.error();
  checkpoint opened({directory}, std::move(*lock));
  result<checkpoint_identity> stored = detail::load_identity(opened.layout_);
  if (!stored && stored.error().code != "PMSTREAM462") return stored.error();
  if (stored) opened.identity_ = std::move(*stored);
  result<void> done = stored ? opened.load(wanted) : opened.create(wanted);
  if (!done) return done.error();
  return opened;
}

[[gnu::used]] inline result<void> checkpoint::create(const checkpoint_identity& wanted) {
  if (result<void> fresh = detail::verify_fresh(layout_); !fresh) return fresh;
  if (result<void> made = make_directories_durably(layout_.batches()); !made) return made;
  if (result<void> made = make_directories_durably(layout_.states()); !made) return made;
  identity_ = wanted_ = wanted;
  return write_durably(layout_.identity(), to_record(identity_));
}

[[gnu::used]] inline result<void> checkpoint::load(const checkpoint_identity& wanted) {
  result<std::vector<std::string>> accepted = compare(identity_, wanted, layout_.directory);
  if (!accepted) return accepted.error();
  accepted_changes_ = std::move(*accepted);
  wanted_ = wanted;
  wanted_.query = identity_.query;
  wanted_.created = identity_.created;

  const result<checkpoint_listing> listing = list_checkpoint(layout_);
  if (!listing) return listing.error();
  if (const std::int64_t newest = listing->newest_commit(); newest >= 0) {
    result<commit_record> commit = load_commit(layout_, newest, identity_.query);
    if (!commit) return commit.error();
    oldest_kept_ = commit->oldest_kept;
    recovered_.newest = std::move(*commit);
  }
  if (result<void> complete = verify_complete(*listing, oldest_kept_, layout_); !complete) return complete;

  for (const std::int64_t batch : listing->commits)
    if (result<commit_record> commit = load_commit(layout_, batch, identity_.query); !commit) return commit.error();
  for (const std::int64_t batch : listing->plans) {
    result<plan_record> plan = load_plan(layout_, batch, identity_.query);
    if (!plan) return plan.error();
    if (!plan->references.empty()) references_[batch] = plan->references;
    if (batch == listing->newest_commit() || batch == listing->newest_commit() + 1)
      recovered_.references = plan->references;
    if (batch == listing->newest_commit() + 1) recovered_.pending = std::move(*plan);
  }
  if (recovered_.newest) {
    result<loaded_snapshot> state = load_snapshot(layout_, *recovered_.newest);
    if (!state) return state.error();
    recovered_.state = std::move(*state);
  }
  oldest_on_disk_ = oldest_kept_;
  for (const std::set<std::int64_t>* files : {&listing->plans, &listing->commits, &listing->snapshots})
    if (!files->empty()) oldest_on_disk_ = std::min(oldest_on_disk_, *files->begin());
  return {};
}

[[gnu::used]] inline result<void> checkpoint::adopt_changes() {
  if (identity_ == wanted_) return {};
  identity_ = wanted_;
  return write_durably(layout_.identity(), to_record(identity_));
}

[[gnu::used]] inline result<void> checkpoint::write_plan(const plan_record& plan) {
  if (!plan.references.empty()) references_[plan.batch] = plan.references;
  return write_durably(layout_.plan(plan.batch), to_record(plan));
}

[[gnu::used]] inline result<void> checkpoint::write_reference(const reference_version& version, std::string_view rows) {
  if (result<void> made = make_directories_durably(layout_.references()); !made) return made;
  record_writer head("reference", detail::reference_record_version);
  head.line()
      .put("reference", version.node)
      .put("batch", version.batch)
      .put("query", identity_.query)
      .put("read_at", version.read_at.microseconds)
      .put("bytes", version.bytes)
      .put("crc32c", to_text(version.checksum));
  const std::string record = std::move(head).close();
  return write_durably(layout_.reference(version), std::vector<std::string_view>{record, rows});
}

[[gnu::used]] inline result<std::string> checkpoint::read_reference(const reference_version& version) const {
  const std::string path = layout_.reference(version);
  result<std::string> bytes = read_file(path);
  if (!bytes && bytes.error().code == "PMSTREAM462") return missing_file(path, "a planned batch looks rows up in it");
  if (!bytes) return bytes;
  result<record_reader> opened = record_reader::open(*bytes, "reference", detail::reference_record_version, path);
  if (!opened) return opened.error();
  record_reader& head = *opened;
  const std::string node = head.line().text("reference");
  const std::int64_t batch = head.integer("batch");
  const std::string query = head.text("query");
  static_cast<void>(head.integer("read_at"));
  const std::int64_t size = head.integer("bytes");
  static_cast<void>(head.text("crc32c"));
  if (result<void> whole = head.finish(); !whole) return whole.error();
  if (query != identity_.query || node != version.node || batch != version.batch)
    return foreign_file(path, "it holds another version, or one of another query");
  const std::string_view rows = std::string_view(*bytes).substr(head.size());
  if (size != version.bytes || static_cast<std::int64_t>(rows.size()) != size || crc32c(rows) != version.checksum)
    return damaged_file(path, head.size(), "its rows are not those that the plan of a batch names");
  return bytes->substr(head.size());
}

[[gnu::used]] inline result<snapshot_receipt> checkpoint::write_snapshot(const snapshot& state) {
  const std::string head = snapshot_head(state);
  std::vector<std::string_view> parts{head};
  std::size_t bytes = head.size();
  for (const state_section& section : state.states) {
    parts.push_back(section.bytes);
    bytes += section.bytes.size();
  }
  if (result<void> written = write_durably(layout_.snapshot(state.batch), parts); !written) return written.error();
  return snapshot_receipt{checkpoint_layout::file_name(state.batch, ".snapshot"), static_cast<std::int64_t>(bytes),
                          record_checksum(head)};
}

[[gnu::used]] inline result<void> checkpoint::write_commit(commit_record commit, std::int64_t retained) {
  // Not before the sinks have published: a load that the identity names has to have all committed batches.
  if (result<void> adopted = adopt_changes(); !adopted) return adopted;
  // Never less than before: what an earlier commit let go is not there any more.
  oldest_kept_ = std::max(oldest_kept_, commit.batch - std::max<std::int64_t>(retained, 0));
  commit.oldest_kept = oldest_kept_;
  if (result<void> written = write_durably(layout_.commit(commit.batch), to_record(commit)); !written) return written;
  remove_before(oldest_kept_);
  remove_references();
  return {};
}

[[gnu::used]] inline void checkpoint::remove_before(std::int64_t oldest) {
  // The batch is done whether or not old files can be removed; what stays is removed after a later batch or start.
  // Oldest first and commit before plan, so that a crash in between leaves nothing that looks like a hole.
  for (; oldest_on_disk_ < oldest; ++oldest_on_disk_)
    for (const std::string& path :
         {layout_.commit(oldest_on_disk_), layout_.plan(oldest_on_disk_), layout_.snapshot(oldest_on_disk_)})
      if (!remove_file(path)) return;
}

/// Removes versions of references that no plan record names. The first time it also finds those that a crash left.
[[gnu::used]] inline void checkpoint::remove_references() {
  references_.erase(references_.begin(), references_.lower_bound(oldest_kept_));
  std::set<std::string> named;
  for (const auto& [batch, versions] : references_)
    for (const reference_version& each : versions) named.insert(layout_.reference(each));
  if (named == kept_references_) return;
  const result<std::vector<std::string>> files = list_directory(layout_.references());
  if (!files) return;
  for (const std::string& each : *files)
    if (const std::string path = layout_.references() + "/" + each; !named.contains(path))
      if (!remove_file(path)) return;
  kept_references_ = std::move(named);
}

}  // namespace etlantic
