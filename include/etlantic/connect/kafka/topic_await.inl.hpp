#pragma once
#include <etlantic/connect/kafka/proportional_share.hpp>
#include <etlantic/connect/kafka/topic_source.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// What makes a batch wait for nothing but its records: all partitions are fetched from while nothing is to be done, and
// what has come is planned without a question to the cluster.

namespace etlantic::kafka::detail {

/// Behind this the cluster is asked again: for lost records, and for how much waits.
inline constexpr std::chrono::seconds look_interval{1};

[[gnu::used]] inline partition_cursor& topic_source::cursor_of(const partition& which) {
  const std::lock_guard guard(lock_);
  return cursors_[which];
}

[[gnu::used]] inline std::optional<bool> topic_source::await_rows(duration most) {
  if (frozen_ || partitions_.empty()) return std::nullopt;
  auto to = connected();
  if (!to) return std::nullopt;
  for (const partition& each : partitions_) {
    const auto planned = planned_.find(each);
    if (planned == planned_.end()) return std::nullopt;  // it has no place to begin at yet
    partition_cursor& at = cursor_of(each);
    const std::lock_guard alone(at.lock);
    if (at.reader != nullptr && at.next == planned->second) continue;
    drop(at);
    auto begun = (*to)->read_from(each, planned->second);
    if (!begun) return std::nullopt;  // the next plan tells why
    at.reader = std::move(*begun);
    at.next = planned->second;
    at.ahead.begin_at(planned->second, spare_);
  }
  awaits_ = true;
  return (*to)->await_records(std::chrono::microseconds(most));
}

/// All that has come. False: so much that a larger batch is cheaper, or something else than records.
[[gnu::used]] inline bool topic_source::take_fetched(partition_cursor& at) {
  constexpr std::size_t most = 128 << 10;
  const auto got = fetch(at, 0, most);
  if (!got) {
    drop(at);  // who reads it begins anew, and sees it again
    return false;
  }
  if (got->state != read_state::out_of_range) return at.ahead.bytes() < most;
  at.reader.reset();
  return false;
}

/// Nothing: the cluster has to be asked.
[[gnu::used]] inline std::optional<std::vector<split_range>> topic_source::plan_fetched(const intake_limits& limits) {
  if (!awaits_ || frozen_ || !looked_ || clock::now() - *looked_ > look_interval) return std::nullopt;
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> waiting;
  for (const partition& each : partitions_) {
    const auto planned = planned_.find(each);
    if (planned == planned_.end()) return std::nullopt;
    partition_cursor& at = cursor_of(each);
    const std::lock_guard alone(at.lock);
    if (at.reader == nullptr || at.next != planned->second || !take_fetched(at)) return std::nullopt;
    begins.push_back(planned->second);
    waiting.push_back(
        std::max<std::int64_t>(0, at.ahead.end_of_records() - planned->second));  // it may end on a marker
  }
  const std::vector<std::int64_t> shares = proportional_shares(waiting, rows_within(limits));
  std::vector<split_range> ranges;
  waiting_rows_ = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    *waiting_rows_ += waiting[i] - shares[i];
    if (shares[i] == 0) continue;
    ranges.push_back({split_of(partitions_[i]), begins[i], begins[i] + shares[i]});
    planned_[partitions_[i]] = begins[i] + shares[i];
  }
  return ranges;
}

}  // namespace etlantic::kafka::detail
