#pragma once
#include <etlantic/runtime/checkpoint.hpp>
#include <etlantic/runtime/interval_snapshots.hpp>
#include <etlantic/runtime/snapshot_parts.hpp>
#include <etlantic/runtime/stopwatch.hpp>

#include <time.h>

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace etlantic {

namespace detail {

/// A snapshot is not begun before the query has run this many times as long as the last one took of it, so that large
/// states are written less often instead of slowing the query down: at most a twentieth of its time.
inline constexpr double least_time_between_snapshots = 20;

inline double processor_seconds() {
  timespec now{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline failure snapshot_out_of_memory() {
  return {
      failure_class::resource_exhausted, "PMSTREAM470", "memory is used up", "snapshot of the state",
      "While a snapshot is written, memory holds the state twice. Give the process more memory, then start the query "
      "again: it goes on from its last commit."};
}

inline failure unwritten_snapshot(failure why, std::int64_t batch) {
  why.message =
      "the snapshot of the state after batch " + std::to_string(batch) + " could not be written: " + why.message;
  return why;
}

}  // namespace detail

[[gnu::used]] inline result<void> interval_snapshots::look(const batch_setting& query) {
  if (writer_.joinable()) {
    if (!is_written_.load(std::memory_order_acquire)) return {};
    if (result<void> taken = take_written(*query.kept); !taken) return taken;
  }
  const std::int64_t batch = query.state.next_batch - 1;
  if (!is_due(batch)) return {};
  // It names the commit record of its batch.
  if (result<void> settled = query.kept->settle(); !settled) return settled;
  copy(query, batch);
  is_written_.store(false, std::memory_order_relaxed);
  try {
    writer_ = std::thread([this, layout = query.kept->layout()] {
      write(layout);
      is_written_.store(true, std::memory_order_release);
    });
  } catch (const std::system_error&) {  // the system gives no thread: then the query writes
    write(query.kept->layout());
    return take_written(*query.kept);
  }
  return {};
}

[[gnu::used]] inline result<void> interval_snapshots::finish(const batch_setting& query) {
  if (writer_.joinable())
    if (result<void> taken = take_written(*query.kept); !taken) return taken;
  const std::int64_t batch = query.state.next_batch - 1;
  if (batch <= last_) return {};
  copy(query, batch);
  write(query.kept->layout());
  return take_written(*query.kept);
}

[[gnu::used]] inline void interval_snapshots::copy(const batch_setting& query, std::int64_t batch) {
  const stopwatch time;
  begun_ = clock::now();
  what_ = {query.state.query, batch, query.kept->commit_checksum(), {}, {}, query.where.compression};
  while (states_.size() < writers_of_parts(query.pipeline.what)) states_.emplace_back(state_writer::when::later);
  for (state_writer& each : states_) each.clear();
  saved_ = save_parts(query, states_, what_);
  last_ = batch;
  copy_seconds_ = time.seconds();
}

/// On the thread of its own: must not throw.
[[gnu::used]] inline void interval_snapshots::write(const checkpoint_layout& layout) {
  const double before = detail::processor_seconds();
  try {
    for (std::size_t i = 0; i < saved_.size(); ++i) {
      states_[saved_[i]].write_copies();
      what_.states[i].pieces = states_[saved_[i]].pieces();
    }
    outcome_ = write_snapshot_file(layout, what_);
  } catch (const std::bad_alloc&) {
    outcome_ = detail::snapshot_out_of_memory();
  } catch (const std::exception& thrown) {
    outcome_ =
        failure{failure_class::internal, "PMSTREAM473", std::string("an exception left a stage: ") + thrown.what(),
                "snapshot of the state", "Stages must return failures; please report it."};
  }
  write_seconds_ = detail::processor_seconds() - before;
}

[[gnu::used]] inline result<void> interval_snapshots::take_written(checkpoint& kept) {
  if (writer_.joinable()) writer_.join();
  // Of the processors that there are the writer may have taken one from the query.
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  const double cost = copy_seconds_ + write_seconds_ / cores;
  next_ = begun_ + std::max(std::chrono::duration_cast<clock::duration>(interval_),
                            std::chrono::duration_cast<clock::duration>(
                                std::chrono::duration<double>(cost * detail::least_time_between_snapshots)));
  if (!*outcome_) return detail::unwritten_snapshot(std::move(outcome_->error()), what_.batch);
  kept.add_snapshot(what_.batch, std::move(**outcome_));
  return {};
}

}  // namespace etlantic
