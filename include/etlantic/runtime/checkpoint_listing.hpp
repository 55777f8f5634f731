#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_log_content.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace etlantic {

/// A record of a batch, and the file in which it stands.
struct stored_record {
  std::string file;
  std::string bytes;
};

/// A log of batch records as it was found.
struct listed_log {
  std::int64_t newest_batch = -1;
  std::size_t size = 0;  ///< bytes of its whole records
};

/// Which batches have which records and files. Temporary files are left out: a crash may leave one, and the next write
/// of the same name replaces it.
struct checkpoint_listing {
  std::set<std::int64_t> plans;
  std::set<std::int64_t> commits;
  std::set<std::int64_t> snapshots;
  std::map<std::int64_t, listed_log> logs;             ///< by number
  std::map<std::int64_t, stored_record> logged_plans;  ///< those of the plans that stand in logs
  std::map<std::int64_t, stored_record> logged_commits;

  std::int64_t newest_commit() const { return commits.empty() ? -1 : *commits.rbegin(); }
};

/// Lists a checkpoint and reads its logs; a name that is not one of ours is refused.
result<checkpoint_listing> list_checkpoint(const checkpoint_layout& layout);

/// Refuses a listing with a hole in it: from `oldest_kept` to the newest commit both records of each batch are there,
/// and where older batches are gone the snapshot of the first; after it at most one batch is planned, and nothing is
/// there without its plan. After a rewind there are plans up to `last_plan`.
result<void> verify_complete(const checkpoint_listing& listing, std::int64_t oldest_kept, std::int64_t last_plan,
                             const checkpoint_layout& layout);

/// The record of a batch that is listed, from its file or its log. A file is the later one: rewinding writes it.
result<stored_record> read_plan(const checkpoint_layout& layout, const checkpoint_listing& listing, std::int64_t batch);
result<stored_record> read_commit(const checkpoint_layout& layout, const checkpoint_listing& listing,
                                  std::int64_t batch);

/// Reads a record and checks that it is the one that its place and its checkpoint say.
result<plan_record> load_plan(const checkpoint_layout& layout, const checkpoint_listing& listing, std::int64_t batch,
                              const std::string& query);
result<commit_record> load_commit(const checkpoint_layout& layout, const checkpoint_listing& listing,
                                  std::int64_t batch, const std::string& query);
/// The snapshot of a batch; `named` is the receipt that some commit record has of it, if one has.
result<loaded_snapshot> load_snapshot(const checkpoint_layout& layout, const checkpoint_listing& listing,
                                      const commit_record& commit, const std::optional<snapshot_receipt>& named);

}  // namespace etlantic
