#pragma once
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <cstdint>

namespace etlantic::delta {

struct optimize_request {
  std::int64_t target_bytes = std::int64_t{128} << 20;  ///< of a data file
  file_settings files{"zstd", 10'000'000};              ///< rows of a file at most, which bounds the memory
};

/// What became of the small files of a table.
struct optimize_outcome {
  std::int64_t version = -1;  ///< of the commit; -1: there was nothing to do
  std::size_t removed = 0, added = 0;
  std::int64_t removed_bytes = 0, added_bytes = 0;
  std::size_t left_alone = 0;  ///< files that another writer changed meanwhile, and those that were to join them
};

/// Writes small data files of one partition together into files of about the target's size, in one commit that changes
/// no data (OPTIMIZE). Writers that only add are not in its way and it is not in theirs; what a merge takes away
/// meanwhile is left alone, and everything else is committed.
result<optimize_outcome> optimize(const folder_store& store, const optimize_request& request);

}  // namespace etlantic::delta
