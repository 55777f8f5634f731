#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/runtime/checkpoint_rewind.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// What is wrong with a file of a checkpoint.
enum class checkpoint_fault : std::uint8_t {
  corrupt,
  truncated,
  missing,
  foreign,
  newer_version,
  half_copied,
  unreadable
};

constexpr std::string_view name_of(checkpoint_fault fault) {
  constexpr std::string_view names[] = {"corrupt",       "truncated",   "missing",   "foreign",
                                        "newer version", "half copied", "unreadable"};
  return names[static_cast<int>(fault)];
}

struct checkpoint_finding {
  checkpoint_fault fault = checkpoint_fault::corrupt;
  failure what;
};

/// The head of a snapshot: what it holds, without holding it.
struct snapshot_summary {
  std::int64_t batch = 0;
  std::int64_t bytes = 0;  ///< of the file
  timestamp written_at;
  std::vector<std::pair<std::string, std::int64_t>> states;  ///< bytes by step
};

/// What lies in a checkpoint directory, as far as it can be read, and what is wrong with it.
struct checkpoint_report {
  std::string directory;
  std::optional<checkpoint_identity> identity;
  std::map<std::int64_t, plan_record> plans;
  std::map<std::int64_t, commit_record> commits;
  std::vector<snapshot_summary> snapshots;  ///< oldest first
  std::optional<rewind_record> rewind;
  std::int64_t references = 0;  ///< files with the rows of references
  std::int64_t leftovers = 0;   ///< temporary files that a crash left; they do no harm
  std::int64_t oldest_kept = 0;
  std::vector<checkpoint_finding> findings;

  std::int64_t newest_commit() const { return commits.empty() ? -1 : commits.rbegin()->first; }
  /// The batch of the snapshot from which a query that ended at `batch` starts; -1: from the beginning.
  std::int64_t snapshot_for(std::int64_t batch) const {
    std::int64_t found = -1;
    for (const snapshot_summary& each : snapshots)
      if (each.batch <= batch) found = each.batch;
    return found;
  }
};

enum class checkpoint_reading : std::uint8_t {
  heads,  ///< records, and of snapshots the heads
  whole,  ///< every byte, so that every checksum is compared
};

/// Reads a checkpoint directory without changing anything in it; what cannot be used becomes a finding. Fails only
/// where there is no directory. Without the lock a running query may change it meanwhile.
result<checkpoint_report> read_checkpoint(const std::string& directory, checkpoint_reading how);

}  // namespace etlantic
