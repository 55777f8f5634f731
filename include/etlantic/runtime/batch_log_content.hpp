#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace etlantic {

enum class batch_record_kind : std::uint8_t { plan, commit };

/// A record of a batch in a log.
struct logged_record {
  batch_record_kind kind = batch_record_kind::plan;
  std::int64_t batch = 0;
  std::string bytes;
};

/// What a log of batch records holds. Its first record says which log it is; behind it stand plan and commit records as
/// they would stand in files of their own, in the order in which they were written.
struct batch_log_content {
  std::vector<logged_record> records;
  std::size_t size = 0;           ///< of all whole records
  std::size_t unfinished = 0;     ///< bytes behind them that a crash left of one that was being written
  std::optional<failure> damage;  ///< why nothing behind the records could be read

  /// -1 if there is none.
  std::int64_t newest_batch() const;
};

/// Reads a log. Only the newest one may end in an unfinished record: before a next one is begun it is cut off.
batch_log_content read_batch_log(const checkpoint_layout& layout, std::int64_t number, bool is_newest);

/// Logs go away oldest first; a number between those that are there is one that somebody has removed.
result<void> verify_consecutive(const std::set<std::int64_t>& logs, const checkpoint_layout& layout);

/// The head of a log.
std::string batch_log_head(std::int64_t number);

}  // namespace etlantic
