#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_state.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace etlantic {

/// Snapshots of the state beside the query: copied between two batches, on the query's thread, then written by a thread
/// of their own, one at a time. A batch that is committed does not wait for them.
class interval_snapshots {
 public:
  explicit interval_snapshots(duration interval) : interval_(interval) {}
  interval_snapshots(const interval_snapshots&) = delete;
  interval_snapshots& operator=(const interval_snapshots&) = delete;
  ~interval_snapshots() {
    if (writer_.joinable()) writer_.join();
  }

  /// The state is that of a snapshot on the disk (-1: of none), and nothing has changed since.
  void begin(std::int64_t batch) {
    last_ = batch;
    next_ = clock::now() + interval_;
  }

  /// Between batches. Takes note of a snapshot that has been written, or of what went wrong, and begins the next one if
  /// it is time and a batch has been committed since the last.
  result<void> look(const batch_setting& query);
  /// Waits for the one that is being written and writes the last state, so that a restart has nothing to compute again.
  result<void> finish(const batch_setting& query);

 private:
  using clock = std::chrono::steady_clock;

  void copy(const batch_setting& query, std::int64_t batch);
  void write(const checkpoint_layout& layout);
  result<void> take_written(checkpoint& kept);
  bool is_due(std::int64_t batch) const { return batch > last_ && clock::now() >= next_; }

  duration interval_;
  std::int64_t last_ = -1;  // batch of the last snapshot that was begun
  clock::time_point begun_{};
  clock::time_point next_{};  // not before that time
  double copy_seconds_ = 0;

  // While `writer_` runs these are its own.
  snapshot what_;
  std::vector<state_writer> states_;  // kept, because new memory has to be cleared by the system first
  std::vector<std::size_t> saved_;    // those of `what_.states`
  std::optional<result<snapshot_receipt>> outcome_;
  double write_seconds_ = 0;  // of a processor

  std::thread writer_;
  std::atomic<bool> is_written_{false};
};

}  // namespace etlantic
