#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace etlantic {

/// Which batches have which files. Temporary files are left out: a crash may leave one, and the next write of the
/// same name replaces it.
struct checkpoint_listing {
  std::set<std::int64_t> plans;
  std::set<std::int64_t> commits;
  std::set<std::int64_t> snapshots;

  bool empty() const { return plans.empty() && commits.empty() && snapshots.empty(); }
  std::int64_t newest_commit() const { return commits.empty() ? -1 : *commits.rbegin(); }
};

/// Lists a checkpoint; a name that is not one of ours is refused.
result<checkpoint_listing> list_checkpoint(const checkpoint_layout& layout);

/// Refuses a listing with a hole in it: from `oldest_kept` to the newest commit both records of each batch are there,
/// and where older batches are gone the snapshot of the first; after it at most one batch is planned, and nothing is
/// there without its plan. After a rewind there are plans up to `last_plan`.
result<void> verify_complete(const checkpoint_listing& listing, std::int64_t oldest_kept, std::int64_t last_plan,
                             const checkpoint_layout& layout);

/// Reads a record and checks that it is the one that its name and its checkpoint say.
result<plan_record> load_plan(const checkpoint_layout& layout, std::int64_t batch, const std::string& query);
result<commit_record> load_commit(const checkpoint_layout& layout, std::int64_t batch, const std::string& query);
/// The snapshot of a batch; `named` is the receipt that some commit record has of it, if one has.
result<loaded_snapshot> load_snapshot(const checkpoint_layout& layout, const commit_record& commit,
                                      const std::optional<snapshot_receipt>& named);

}  // namespace etlantic
