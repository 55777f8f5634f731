#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic {

struct checkpoint_report;

/// That a checkpoint was set back: the batches behind `to` up to `from` are planned and run again, in order, before any
/// new one. Lies in the directory until the last of them has been committed again.
struct rewind_record {
  std::string query;
  std::int64_t to = 0;
  std::int64_t from = 0;
  std::int64_t oldest_kept = 0;  ///< as the newest commit had it that was taken away
  bool is_done = false;          ///< false: records behind `to` may still be there

  friend bool operator==(const rewind_record&, const rewind_record&) = default;
};

std::string to_record(const rewind_record& rewind);
result<rewind_record> read_rewind_record(std::string_view bytes, const std::string& path);

namespace detail {
/// What a rewind to a batch comes to, or why it cannot be.
result<rewind_record> plan_rewind(const checkpoint_report& found, std::int64_t to);
}  // namespace detail

/// Sets a checkpoint back to a batch, whose state a snapshot at or before it leads to: takes away the commit records
/// and snapshots behind it, and keeps the plans. Takes the lock. A crash in between leaves a record that makes a start
/// refuse until it has been called again.
result<rewind_record> rewind_checkpoint(const std::string& directory, std::int64_t to);

}  // namespace etlantic
