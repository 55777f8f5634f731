#pragma once
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace etlantic::delta {

struct vacuum_request {
  std::optional<std::int64_t> retention{};  ///< milliseconds; nothing: what the table says, or a week
  bool shorter_is_fine = false;             ///< than the table says, or a week
  bool only_tell = false;
};

/// What was removed, or would be.
struct vacuum_outcome {
  std::int64_t retention = 0;
  std::vector<stored_entry> files;
  std::int64_t bytes = 0;
};

/// Removes data files that no version within the retention has: those that were replaced or removed before it, and
/// those that a writer left that was killed before its commit. Versions that are older can be read no more. Files that
/// are younger than the retention stay, because their commit may be about to come; so does the log, and everything
/// whose name begins with `.` or `_`, but for what writers of ours left half done in the log.
result<vacuum_outcome> vacuum(const folder_store& store, const vacuum_request& request);

}  // namespace etlantic::delta
