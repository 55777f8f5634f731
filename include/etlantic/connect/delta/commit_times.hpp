#pragma once
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etlantic::delta {

/// When a version came into being, in milliseconds since 1970.
struct commit_time {
  std::int64_t version = 0;
  std::int64_t milliseconds = 0;
};

/// The times of the commits that are there, without a hole up to the newest. Where the table notes times in its commits
/// (inCommitTimestamp) they are these; else those of the files, each at least a millisecond behind the one before it.
result<std::vector<commit_time>> commit_times(const folder_store& store, const table_state& newest);

/// The newest version of that time or before it.
result<std::int64_t> version_as_of(const std::vector<commit_time>& times, std::int64_t milliseconds,
                                   const std::string& where);
/// The oldest version of that time or behind it.
result<std::int64_t> version_from(const std::vector<commit_time>& times, std::int64_t milliseconds,
                                  const std::string& where);

}  // namespace etlantic::delta
