#pragma once
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/connect/delta/table_state.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <cstdint>

namespace etlantic::delta {

/// Removes commits, checkpoints and checksums of versions that nobody can ask for any more: those before the newest
/// checkpoint that is older than `delta.logRetentionDuration` (30 days) before `now`. So every version of that time can
/// still be had, and the commit of a version stays beside its checkpoint, because some readers look for it. Does
/// nothing if the table says `delta.enableExpiredLogCleanup=false`. Tells how many files are gone.
result<std::size_t> clean_log(const folder_store& store, const table_metadata& table, std::int64_t now);

}  // namespace etlantic::delta
