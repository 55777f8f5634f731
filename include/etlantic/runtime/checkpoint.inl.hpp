#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint.hpp>
#include <etlantic/runtime/checkpoint_listing.hpp>
#include <etlantic/runtime/checkpoint_rewind.hpp>
#include <etlantic/runtime/checksum.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/renamed_fields.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

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
    if (name == "group.json")
      return foreign_file(path, "the checkpoint is of a group of processes (intake: group), and this one is not");
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
  result<checkpoint_lock> lock = held ? result<checkpoint_lock>(std::move(*held)) : checkpoint_lock::take(directory);
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
  wanted_ = wanted;
  wanted_.renames.clear();
  identity_ = wanted_;
  return write_durably(layout_.identity(), to_record(identity_));
}

[[gnu::used]] inline result<void> checkpoint::load(const checkpoint_identity& wanted) {
  result<std::vector<std::string>> accepted = compare(identity_, wanted, layout_.directory);
  if (!accepted) return accepted.error();
  accepted_changes_ = std::move(*accepted);
  checkpoint_identity renamed = detail::with_new_names(identity_, wanted, wanted.renames);
  has_new_names_ = renamed != identity_;
  identity_ = std::move(renamed);
  wanted_ = wanted;
  wanted_.renames.clear();
  wanted_.query = identity_.query;
  wanted_.created = identity_.created;

  const result<checkpoint_listing> listing = list_checkpoint(layout_);
  if (!listing) return listing.error();
  if (const std::int64_t newest = listing->newest_commit(); newest >= 0) {
    result<commit_record> commit = load_commit(layout_, *listing, newest, identity_.query);
    if (!commit) return commit.error();
    oldest_kept_ = commit->oldest_kept;
    recovered_.newest = std::move(*commit);
  }
  const result<std::int64_t> rewound_from = load_rewind();
  if (!rewound_from) return rewound_from.error();
  rewound_from_ = *rewound_from;
  // All of it is done again, and only the end of its record was lost.
  if (rewound_from_ >= 0 && listing->newest_commit() >= rewound_from_) {
    if (result<void> removed = remove_file(layout_.rewind()); !removed) return removed;
    rewound_from_ = -1;
  }
  wanted_.earlier = identity_.earlier;
  std::erase_if(wanted_.earlier, [&](const earlier_state& each) { return each.last_batch < oldest_kept_; });
  const std::int64_t last_plan = std::max(listing->newest_commit(), rewound_from_) + 1;
  if (result<void> complete = verify_complete(*listing, oldest_kept_, last_plan, layout_); !complete) return complete;

  std::vector<committed_batch> done;
  for (const std::int64_t batch : listing->commits) {
    result<commit_record> commit = load_commit(layout_, *listing, batch, identity_.query);
    if (!commit) return commit.error();
    if (batch >= oldest_kept_) done.push_back({{}, std::move(*commit)});
  }
  for (const std::int64_t batch : listing->plans) {
    result<plan_record> plan = load_plan(layout_, *listing, batch, identity_.query);
    if (!plan) return plan.error();
    if (const std::int64_t at = batch - oldest_kept_; at >= 0 && at < static_cast<std::int64_t>(done.size()))
      done[static_cast<std::size_t>(at)].plan = *plan;
    if (!plan->references.empty()) references_[batch] = plan->references;
    if (batch == listing->newest_commit() || batch == listing->newest_commit() + 1)
      recovered_.references = plan->references;
    if (batch > listing->newest_commit()) recovered_.pending.push_back(std::move(*plan));
  }
  if (result<void> loaded = load_state(*listing, std::move(done)); !loaded) return loaded;
  for (const std::set<std::int64_t>* batches : {&listing->plans, &listing->commits, &listing->snapshots})
    with_files_.insert(batches->begin(), batches->end());
  for (const auto& [number, log] : listing->logs) log_.add(number, log.newest_batch, log.size);
  return {};
}

/// After a rewind: the last batch that runs again; else -1.
[[gnu::used]] inline result<std::int64_t> checkpoint::load_rewind() {
  const result<std::string> bytes = read_file(layout_.rewind());
  if (!bytes && bytes.error().code == "PMSTREAM462") return std::int64_t{-1};
  if (!bytes) return bytes.error();
  const result<rewind_record> rewind = read_rewind_record(*bytes, layout_.rewind());
  if (!rewind) return rewind.error();
  if (rewind->query != identity_.query)
    return foreign_file(layout_.rewind(), "it was written by query " + rewind->query + ", this is " + identity_.query);
  if (!rewind->is_done) return interrupted_rewind(layout_.directory, rewind->to);
  oldest_kept_ = std::max(oldest_kept_, rewind->oldest_kept);
  return rewind->from;
}

/// Reads the newest snapshot; `done` are the batches from `oldest_kept_` on.
[[gnu::used]] inline result<void> checkpoint::load_state(const checkpoint_listing& listing,
                                                         std::vector<committed_batch> done) {
  std::map<std::int64_t, snapshot_receipt> named;
  for (const committed_batch& each : done) {
    const snapshot_receipt& receipt = each.commit.snapshot;
    const std::int64_t batch = checkpoint_layout::batch_of(receipt.file, ".snapshot");
    if (batch < oldest_kept_) continue;  // none, or one that is not needed any more
    if (!listing.snapshots.contains(batch))
      return missing_file(layout_.snapshot(batch),
                          "the commit record of batch " + std::to_string(each.commit.batch) + " names it");
    named[batch] = receipt;
  }
  for (const std::int64_t batch : listing.snapshots)
    if (batch >= oldest_kept_ && batch <= listing.newest_commit()) snapshots_.insert(batch);
  std::size_t next = 0;
  if (!snapshots_.empty()) {
    const std::int64_t newest = *snapshots_.rbegin();
    next = static_cast<std::size_t>(newest - oldest_kept_) + 1;
    recovered_.restored = done[next - 1].commit;
    const auto found = named.find(newest);
    result<loaded_snapshot> state =
        load_snapshot(layout_, listing, *recovered_.restored,
                      found == named.end() ? std::nullopt : std::optional<snapshot_receipt>(found->second));
    if (!state) return state.error();
    newest_snapshot_ = {checkpoint_layout::file_name(newest, ".snapshot"), state->bytes(), state->checksum()};
    recovered_.state = std::move(*state);
  }
  for (; next < done.size(); ++next) recovered_.behind.push_back(std::move(done[next]));
  if (recovered_.behind.empty()) return {};
  const result<stored_record> newest_record = read_commit(layout_, listing, listing.newest_commit());
  if (!newest_record) return newest_record.error();
  commit_checksum_ = record_checksum(newest_record->bytes);
  return verify_computation(identity_, wanted_, recovered_.behind.front().commit.batch, listing.newest_commit(),
                            layout_.directory);
}

[[gnu::used]] inline result<void> checkpoint::adopt_changes(std::int64_t batch) {
  if (identity_ == wanted_ && !std::exchange(has_new_names_, false)) return {};
  note_earlier_states(identity_, wanted_, batch - 1);
  identity_ = wanted_;
  return write_durably(layout_.identity(), to_record(identity_));
}

[[gnu::used]] inline result<void> checkpoint::write_plan(const plan_record& plan) {
  if (!plan.references.empty()) references_[plan.batch] = plan.references;
  const std::string record = to_record(plan);
  if (!is_logged_) {
    with_files_.insert(plan.batch);
    return write_durably(layout_.plan(plan.batch), record);
  }
  if (!held_) return log_.append(record, plan.batch);
  if (result<void> written = log_.append(held_->record + record, plan.batch); !written) return written;
  return finish_commit(std::exchange(held_, {})->batch);
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
  result<snapshot_receipt> written = write_snapshot_file(layout_, state);
  if (written) add_snapshot(state.batch, *written);
  return written;
}

[[gnu::used]] inline void checkpoint::add_snapshot(std::int64_t batch, snapshot_receipt written) {
  snapshots_.insert(batch);
  with_files_.insert(batch);
  newest_snapshot_ = std::move(written);
}

/// Back to a snapshot from which all retained batches can be computed again; to the beginning while there is none.
[[gnu::used]] inline void checkpoint::keep_from(std::int64_t newest, const checkpoint_retention& retained) {
  const auto behind = snapshots_.upper_bound(newest - std::max<std::int64_t>(retained.batches, 0));
  if (behind != snapshots_.begin()) oldest_kept_ = std::max(oldest_kept_, *std::prev(behind));
  if (const auto most = static_cast<std::size_t>(retained.snapshots); most > 0 && snapshots_.size() > most)
    oldest_kept_ = std::max(oldest_kept_, *std::prev(snapshots_.end(), static_cast<std::ptrdiff_t>(most)));
  snapshots_.erase(snapshots_.begin(), snapshots_.lower_bound(oldest_kept_));
}

[[gnu::used]] inline result<void> checkpoint::write_commit(commit_record commit, const checkpoint_retention& retained) {
  // Not before the sinks have published: a load that the identity names has to have all committed batches.
  if (result<void> adopted = adopt_changes(commit.batch); !adopted) return adopted;
  keep_from(commit.batch, retained);
  commit.oldest_kept = oldest_kept_;
  commit.snapshot = newest_snapshot_;
  held_ = held_commit{commit.batch, to_record(commit)};
  commit_checksum_ = record_checksum(held_->record);
  // After a rewind the next plan has to find the note of it removed.
  return is_logged_ && rewound_from_ < 0 ? result<void>() : settle();
}

[[gnu::used]] inline result<void> checkpoint::settle() {
  if (!held_) return {};
  if (!is_logged_) with_files_.insert(held_->batch);
  result<void> written = is_logged_ ? log_.append(held_->record, held_->batch)
                                    : write_durably(layout_.commit(held_->batch), held_->record);
  if (!written) return written;
  return finish_commit(std::exchange(held_, {})->batch);
}

/// What waits for a commit record to be durable.
[[gnu::used]] inline result<void> checkpoint::finish_commit(std::int64_t batch) {
  if (rewound_from_ >= 0 && batch >= rewound_from_) {
    // Before the next plan, which would not fit it.
    if (result<void> removed = remove_file(layout_.rewind()); !removed) return removed;
    rewound_from_ = -1;
  }
  remove_before(oldest_kept_);
  remove_references();
  return {};
}

[[gnu::used]] inline void checkpoint::remove_before(std::int64_t oldest) {
  // The batch is done whether or not old files can be removed; what stays is removed after a later batch or start.
  // Oldest first and commit before plan, so that a crash in between leaves nothing that looks like a hole.
  while (!with_files_.empty() && *with_files_.begin() < oldest) {
    const std::int64_t batch = *with_files_.begin();
    for (const std::string& path : {layout_.commit(batch), layout_.plan(batch), layout_.snapshot(batch)})
      if (!remove_file(path)) return;
    with_files_.erase(with_files_.begin());
  }
  log_.remove_before(oldest);
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
