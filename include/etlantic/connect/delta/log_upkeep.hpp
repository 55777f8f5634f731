#pragma once
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/connect/delta/table_state.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <optional>

namespace etlantic::delta {

/// Writes the checkpoint of a version, and the hint to it. The commit of the same version stays where it is.
result<void> write_checkpoint(const folder_store& store, const table_state& table);

/// What a writer does for the log after its commits: a checkpoint every so many of them, and after each checkpoint the
/// removal of commits that nobody wants any more. Both only save time and room, so that what fails is left for later.
class log_upkeep {
 public:
  /// `interval`: commits between checkpoints, if the profile says it; else the table does, or it is 10.
  explicit log_upkeep(std::optional<std::int64_t> interval = {}) : interval_(interval) {}

  result<void> open(const folder_store& store);
  void after_commit(const folder_store& store, const table_state& table);

 private:
  std::int64_t interval_of(const table_metadata& table) const;

  std::optional<std::int64_t> interval_;
  std::int64_t newest_ = -1;
};

}  // namespace etlantic::delta
