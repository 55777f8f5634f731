#pragma once
#include <etlantic/runtime/progress.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace etlantic {

namespace detail {

/// The entry of a node in a list of progress, made if it is not there.
template <class Entry>
Entry& entry_of(std::vector<Entry>& entries, const std::string& node) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& each) { return each.node == node; });
  if (found != entries.end()) return *found;
  entries.emplace_back().node = node;
  return entries.back();
}

inline void add(extract_progress& total, const extract_progress& batch) {
  total.read += batch.read;
  total.bytes += batch.bytes;
  total.valid += batch.valid;
  total.invalid += batch.invalid;
  total.fast += batch.fast;
  total.skipped += batch.skipped;
  total.left_out.files += batch.left_out.files;
  total.left_out.rows += batch.left_out.rows;
  total.read_seconds += batch.read_seconds;
  total.decode_seconds += batch.decode_seconds;
  for (const auto& [reason, rows] : batch.reasons) total.reasons[reason] += rows;
  total.waiting = batch.waiting;
  total.client = batch.client;
}

inline void add(step_progress& total, const step_progress& batch) {
  total.counts += batch.counts;
  total.state = batch.state;
  total.seconds += batch.seconds;
}

inline void add(load_progress& total, const load_progress& batch) {
  total.asset = batch.asset;
  total.rows += batch.rows;
  total.seconds += batch.seconds;
}

template <class Entry>
void add(std::vector<Entry>& totals, const std::vector<Entry>& batch) {
  for (const Entry& each : batch) add(entry_of(totals, each.node), each);
}

}  // namespace detail

/// Of a run that goes on for months only the first ones are kept.
inline void add_warnings(progress& total, const std::vector<std::string>& sentences) {
  constexpr std::size_t most = 100;
  for (const std::string& each : sentences) {
    if (total.warnings.size() > most) return;
    total.warnings.push_back(total.warnings.size() < most ? each
                                                          : "later warnings are in the records of their batches");
  }
}

/// Adds a batch to what a run did: counts and times are sums, state and watermark are the last ones, `batch` is the
/// number of batches. Ranges are not summed up.
inline void add_batch(progress& total, const progress& batch) {
  if (total.batch++ == 0) total.started = batch.started;
  total.replayed = total.replayed || batch.replayed;
  detail::add(total.extracts, batch.extracts);
  detail::add(total.steps, batch.steps);
  detail::add(total.loads, batch.loads);
  add_warnings(total, batch.warnings);
  total.watermark = batch.watermark;
  total.slowest_splits = batch.slowest_splits;
  total.seconds += batch.seconds;
  total.plan_seconds += batch.plan_seconds;
  total.process_seconds += batch.process_seconds;
  total.publish_seconds += batch.publish_seconds;
  total.checkpoint_seconds += batch.checkpoint_seconds;
}

}  // namespace etlantic
