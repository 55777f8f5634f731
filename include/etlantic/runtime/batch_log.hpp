#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/growing_file.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace etlantic {

/// Writes records of batches one behind the other into files that grow, which takes one sync where a file of its own
/// for each takes a sync of the file and one of its folder. A log that has grown long is followed by a next one, so
/// that old records can be removed.
class batch_log {
 public:
  explicit batch_log(checkpoint_layout layout) : layout_(std::move(layout)) {}

  /// A log that is there already: the newest batch in it, and the bytes of its whole records. In the order of numbers.
  void add(std::int64_t number, std::int64_t newest_batch, std::size_t size);

  /// Writes whole records that belong together; `newest` is the newest batch among them. They are on the disk when this
  /// returns; a crash before leaves the first ones, or none.
  result<void> append(std::string_view records, std::int64_t newest);

  /// Removes logs that hold nothing of `oldest` or later batches. What cannot be removed stays until the next time.
  void remove_before(std::int64_t oldest);

 private:
  // About a second of batches that take a millisecond each.
  static constexpr std::size_t most_bytes = 1 << 20;

  result<void> begin(std::string_view records, std::int64_t newest);
  result<void> end_earlier();

  checkpoint_layout layout_;
  std::int64_t next_ = 0;                                // number of the next log
  std::map<std::int64_t, std::int64_t> newest_batches_;  // of each log that is there
  std::optional<std::size_t> earlier_;                   // size of the last log of an earlier run
  std::optional<detail::growing_file> file_;             // the last log, while it grows
};

}  // namespace etlantic
