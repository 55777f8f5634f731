#pragma once
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace etlantic::delta {

/// What a look at every byte of a table has found.
struct table_verification {
  std::int64_t version = -1;
  std::size_t commits = 0, checkpoints = 0, files = 0;
  std::int64_t rows = 0;
  std::vector<failure> findings;  ///< what is wrong; empty: nothing
};

/// Replays the log of a table and reads its data files: versions without a hole, commits that can be read, checkpoints
/// that say what the commits say, files that are there with the sizes, rows and statistics that the log has of them. A
/// failure if there is no table, or one that we cannot read.
result<table_verification> verify_table(const folder_store& store);

}  // namespace etlantic::delta
