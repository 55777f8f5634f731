#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_listing.hpp>
#include <etlantic/runtime/durable_file.hpp>

namespace etlantic {

namespace detail {

inline result<void> list_batches(const checkpoint_layout& layout, checkpoint_listing& into) {
  const result<std::vector<std::string>> names = list_directory(layout.batches());
  if (!names) return names.error();
  for (const std::string& name : *names) {
    if (checkpoint_layout::is_temporary(name)) continue;
    if (const std::int64_t plan = checkpoint_layout::batch_of(name, ".plan"); plan >= 0)
      into.plans.insert(plan);
    else if (const std::int64_t commit = checkpoint_layout::batch_of(name, ".commit"); commit >= 0)
      into.commits.insert(commit);
    else
      return foreign_file(layout.batches() + "/" + name, "no batch record has such a name");
  }
  return {};
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

template <class Record>
result<Record> load_record(const std::string& path, std::int64_t batch, const std::string& query,
                           result<Record> (*read)(std::string_view bytes, const std::string& path)) {
  const result<std::string> bytes = read_listed(path);
  if (!bytes) return bytes.error();
  result<Record> record = read(*bytes, path);
  if (!record) return record;
  if (result<void> placed = verify_place(*record, path, batch, query); !placed) return placed.error();
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
  if (!listing.snapshots.empty() && *listing.snapshots.rbegin() > newest && !listing.plans.contains(newest + 1))
    return missing_file(layout.plan(newest + 1), "a snapshot of that batch or a later one is there");
  return {};
}

[[gnu::used]] inline result<plan_record> load_plan(const checkpoint_layout& layout, std::int64_t batch,
                                                   const std::string& query) {
  return detail::load_record(layout.plan(batch), batch, query, read_plan_record);
}

[[gnu::used]] inline result<commit_record> load_commit(const checkpoint_layout& layout, std::int64_t batch,
                                                       const std::string& query) {
  return detail::load_record(layout.commit(batch), batch, query, read_commit_record);
}

[[gnu::used]] inline result<loaded_snapshot> load_snapshot(const checkpoint_layout& layout, const commit_record& commit,
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
    const result<std::string> record = detail::read_listed(layout.commit(commit.batch));
    if (!record) return record.error();
    if (record_checksum(*record) != *of)
      return damaged_file(path, 0, "it is not a snapshot behind the commit record of its batch");
  } else if (!named)
    return damaged_file(path, 0, "no commit record names it");
  return loaded;
}

}  // namespace etlantic
