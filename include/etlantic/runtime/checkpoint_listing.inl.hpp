#pragma once
#include <etlantic/runtime/batch_log_content.hpp>
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_listing.hpp>
#include <etlantic/runtime/durable_file.hpp>

#include <utility>

namespace etlantic {

namespace detail {

/// A record may stand in two logs only if it is the same.
inline result<void> list_logged(logged_record record, const std::string& path, checkpoint_listing& into) {
  const bool is_plan = record.kind == batch_record_kind::plan;
  auto& stored = is_plan ? into.logged_plans : into.logged_commits;
  const auto [at, is_new] = stored.try_emplace(record.batch, stored_record{path, {}});
  if (!is_new && at->second.bytes != record.bytes)
    return damaged_file(
        path, 0, "it has another record of batch " + std::to_string(record.batch) + " than '" + at->second.file + "'");
  at->second.bytes = std::move(record.bytes);
  (is_plan ? into.plans : into.commits).insert(record.batch);
  return {};
}

inline result<void> list_logs(const checkpoint_layout& layout, const std::set<std::int64_t>& numbers,
                              checkpoint_listing& into) {
  if (result<void> consecutive = verify_consecutive(numbers, layout); !consecutive) return consecutive;
  for (const std::int64_t number : numbers) {
    batch_log_content content = read_batch_log(layout, number, number == *numbers.rbegin());
    if (content.damage) return std::move(*content.damage);
    into.logs[number] = {content.newest_batch(), content.size};
    for (logged_record& each : content.records)
      if (result<void> listed = list_logged(std::move(each), layout.log(number), into); !listed) return listed;
  }
  return {};
}

inline result<void> list_batches(const checkpoint_layout& layout, checkpoint_listing& into) {
  const result<std::vector<std::string>> names = list_directory(layout.batches());
  if (!names) return names.error();
  std::set<std::int64_t> logs;
  for (const std::string& name : *names) {
    if (checkpoint_layout::is_temporary(name)) continue;
    if (const std::int64_t plan = checkpoint_layout::batch_of(name, ".plan"); plan >= 0)
      into.plans.insert(plan);
    else if (const std::int64_t commit = checkpoint_layout::batch_of(name, ".commit"); commit >= 0)
      into.commits.insert(commit);
    else if (const std::int64_t log = checkpoint_layout::batch_of(name, ".log"); log >= 0)
      logs.insert(log);
    else
      return foreign_file(layout.batches() + "/" + name, "no batch record has such a name");
  }
  return list_logs(layout, logs, into);
}

inline result<void> list_states(const checkpoint_layout& layout, checkpoint_listing& into) {
  const result<std::vector<std::string>> names = list_directory(layout.states());
  if (!names) return names.error();
  for (const std::string& name : *names) {
    if (checkpoint_layout::is_temporary(name)) continue;
    const std::int64_t batch = checkpoint_layout::batch_of(name, ".snapshot");
    if (batch < 0) return foreign_file(layout.states() + "/" + name, "no snapshot has such a name");
    into.snapshots.insert(batch);
  }
  return {};
}

inline std::string batch_text(std::int64_t batch) { return "batch " + std::to_string(batch); }

inline result<void> verify_kept(const checkpoint_listing& listing, std::int64_t batch,
                                const checkpoint_layout& layout) {
  const std::string committed = batch_text(listing.newest_commit()) + " is committed";
  if (!listing.commits.contains(batch)) return missing_file(layout.commit(batch), committed + " and needs it");
  if (!listing.plans.contains(batch)) return missing_file(layout.plan(batch), committed + " and needs it");
  return {};
}

/// That the record in a file is about the batch and the query which it is filed under.
template <class Record>
result<void> verify_place(const Record& record, const std::string& path, std::int64_t batch, const std::string& query) {
  if (record.query != query)
    return foreign_file(path, "it was written by query " + record.query + ", this is " + query);
  if (record.batch != batch)
    return foreign_file(path, "it is about " + batch_text(record.batch) + " and was renamed or copied");
  return {};
}

/// A listed file that is gone when it is read stays the same finding as one that was not listed.
inline result<std::string> read_listed(const std::string& path) {
  result<std::string> bytes = read_file(path);
  if (!bytes && bytes.error().code == "PMSTREAM462") return missing_file(path, "it belongs to this checkpoint");
  return bytes;
}

/// From the file of its own, or where there is none from the log.
inline result<stored_record> read_stored(const std::string& path, std::int64_t batch,
                                         const std::map<std::int64_t, stored_record>& logged) {
  result<std::string> bytes = read_file(path);
  if (bytes) return stored_record{path, std::move(*bytes)};
  if (bytes.error().code != "PMSTREAM462") return bytes.error();
  const auto found = logged.find(batch);
  if (found == logged.end()) return missing_file(path, "it belongs to this checkpoint");
  return found->second;
}

template <class Record>
result<Record> load_record(const result<stored_record>& stored, std::int64_t batch, const std::string& query,
                           result<Record> (*read)(std::string_view bytes, const std::string& path)) {
  if (!stored) return stored.error();
  result<Record> record = read(stored->bytes, stored->file);
  if (!record) return record;
  if (result<void> placed = verify_place(*record, stored->file, batch, query); !placed) return placed.error();
  return record;
}

}  // namespace detail

[[gnu::used]] inline result<checkpoint_listing> list_checkpoint(const checkpoint_layout& layout) {
  checkpoint_listing listing;
  if (result<void> listed = detail::list_batches(layout, listing); !listed) return listed.error();
  if (result<void> listed = detail::list_states(layout, listing); !listed) return listed.error();
  return listing;
}

[[gnu::used]] inline result<void> verify_complete(const checkpoint_listing& listing, std::int64_t oldest_kept,
                                                  std::int64_t last_plan, const checkpoint_layout& layout) {
  const std::int64_t newest = listing.newest_commit();
  for (std::int64_t batch = oldest_kept; batch <= newest; ++batch)
    if (result<void> kept = detail::verify_kept(listing, batch, layout); !kept) return kept;
  if (oldest_kept > 0 && !listing.snapshots.contains(oldest_kept))
    return missing_file(layout.snapshot(oldest_kept), "what led to the state after that batch is not kept any more");
  for (std::int64_t batch = newest + 1; batch < last_plan; ++batch)
    if (!listing.plans.contains(batch))
      return missing_file(layout.plan(batch), "the checkpoint was rewound, and the batch must run again");
  if (!listing.plans.empty() && *listing.plans.rbegin() > last_plan)
    return missing_file(layout.commit(newest + 1), detail::batch_text(*listing.plans.rbegin()) +
                                                       " is planned, so that it must have been committed");
  const std::int64_t last_snapshot = listing.snapshots.empty() ? -1 : *listing.snapshots.rbegin();
  if (last_snapshot > newest && !listing.plans.contains(newest + 1))
    return missing_file(layout.plan(newest + 1), "a snapshot of that batch or a later one is there");
  if (last_snapshot > last_plan) return missing_file(layout.commit(newest + 1), "a snapshot of a later batch is there");
  return {};
}

[[gnu::used]] inline result<stored_record> read_plan(const checkpoint_layout& layout, const checkpoint_listing& listing,
                                                     std::int64_t batch) {
  return detail::read_stored(layout.plan(batch), batch, listing.logged_plans);
}

[[gnu::used]] inline result<stored_record> read_commit(const checkpoint_layout& layout,
                                                       const checkpoint_listing& listing, std::int64_t batch) {
  return detail::read_stored(layout.commit(batch), batch, listing.logged_commits);
}

[[gnu::used]] inline result<plan_record> load_plan(const checkpoint_layout& layout, const checkpoint_listing& listing,
                                                   std::int64_t batch, const std::string& query) {
  return detail::load_record(read_plan(layout, listing, batch), batch, query, read_plan_record);
}

[[gnu::used]] inline result<commit_record> load_commit(const checkpoint_layout& layout,
                                                       const checkpoint_listing& listing, std::int64_t batch,
                                                       const std::string& query) {
  return detail::load_record(read_commit(layout, listing, batch), batch, query, read_commit_record);
}

[[gnu::used]] inline result<loaded_snapshot> load_snapshot(const checkpoint_layout& layout,
                                                           const checkpoint_listing& listing,
                                                           const commit_record& commit,
                                                           const std::optional<snapshot_receipt>& named) {
  const std::string path = layout.snapshot(commit.batch);
  result<std::string> bytes = detail::read_listed(path);
  if (!bytes) return bytes.error();
  const std::size_t size = bytes->size();
  result<loaded_snapshot> loaded = loaded_snapshot::read(std::move(*bytes), path);
  if (!loaded) return loaded;
  if (result<void> placed = detail::verify_place(loaded->contents(), path, commit.batch, commit.query); !placed)
    return placed.error();
  if (named && (loaded->checksum() != named->checksum || static_cast<std::int64_t>(size) != named->bytes))
    return damaged_file(path, 0, "it is not the snapshot that a commit record names");
  if (const std::optional<std::uint32_t> of = loaded->contents().commit) {
    const result<stored_record> record = read_commit(layout, listing, commit.batch);
    if (!record) return record.error();
    if (record_checksum(record->bytes) != *of)
      return damaged_file(path, 0, "it is not a snapshot behind the commit record of its batch");
  } else if (!named)
    return damaged_file(path, 0, "no commit record names it");
  return loaded;
}

}  // namespace etlantic
