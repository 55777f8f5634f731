#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/batch_state.hpp>

#include <cstdint>
#include <vector>

namespace etlantic {

/// What must run before any other batch.
struct recovered_work {
  std::int64_t restored = -1;           ///< the batch whose state was restored; -1: none
  std::vector<committed_batch> behind;  ///< to be computed again, so that the state is that after the newest commit
  std::vector<plan_record> pending;     ///< to be replayed, in order
};

/// Brings stages and watermarks to the newest snapshot, and sources to where the checkpoint says that the query
/// stopped; a fresh query to its beginning.
result<recovered_work> restore_query(const batch_setting& query);

}  // namespace etlantic
