#pragma once
#include <etlantic/connect/kafka/proportional_share.hpp>
#include <etlantic/connect/kafka/topic_source.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace etlantic::kafka::detail {

[[gnu::used]] inline result<void> topic_source::freeze() {
  if (auto found = discover(true); !found) return found;
  const auto logs = look(partitions_);
  if (!logs) return logs.error();
  frozen_.emplace();
  for (const partition_log& each : *logs) (*frozen_)[each.which] = each.latest;
  return {};
}

[[gnu::used]] inline std::vector<std::string> topic_source::finished(const std::vector<std::string>& splits) {
  std::vector<std::string> found;
  if (!frozen_) return found;
  for (const std::string& each : splits) {
    const partition which = partition_of(each);
    const auto end = frozen_->find(which);
    const auto planned = planned_.find(which);
    if (end == frozen_->end() || (planned != planned_.end() && planned->second >= end->second)) found.push_back(each);
  }
  return found;
}

/// A loss ends the query unless the profile says that it goes on; then it is told.
[[gnu::used]] inline result<void> topic_source::lose(std::string sentence, const partition& which) {
  if (!settings_.continues_after_loss) return lost_records(std::move(sentence), split_of(which));
  const std::lock_guard guard(lock_);
  warnings_.push_back("PMSTREAM428: " + sentence + "; the query goes on behind it (on_data_loss: continue)");
  return {};
}

/// Where the next batch begins in a partition of which something has been planned, or that is new in a topic which is
/// being read: such a one is read from its first record, whatever `start` says.
[[gnu::used]] inline result<std::int64_t> topic_source::begin_of(const partition_log& log,
                                                                 const std::set<std::string>& known_topics) {
  const auto planned = planned_.find(log.which);
  if (planned == planned_.end() && !known_topics.contains(log.which.topic)) return std::int64_t{-1};
  const std::int64_t expected = planned == planned_.end() ? 0 : planned->second;
  if (expected > log.latest) {
    auto lost = lose("the partition " + split_of(log.which) + " ends at offset " + std::to_string(log.latest) +
                         ", but had been read up to " + std::to_string(expected) +
                         ": the topic was cut or created anew, and how many records are lost is not known",
                     log.which);
    if (!lost) return lost.error();
    return log.earliest;
  }
  if (expected < log.earliest) {
    auto lost = lose("the partition " + split_of(log.which) + " begins at offset " + std::to_string(log.earliest) +
                         ", but had been read up to " + std::to_string(expected) + " only: up to " +
                         std::to_string(log.earliest - expected) + " records expired before they were read",
                     log.which);
    if (!lost) return lost.error();
    return log.earliest;
  }
  return expected;
}

/// Of the topics that nothing has been planned of yet.
[[gnu::used]] inline result<std::map<partition, std::int64_t>> topic_source::starts_of(
    const std::vector<partition_log>& logs, const std::set<std::string>& known_topics) {
  std::map<partition, std::int64_t> starts;
  std::vector<partition> fresh;
  for (const partition_log& each : logs) {
    if (planned_.contains(each.which) || known_topics.contains(each.which.topic)) continue;
    fresh.push_back(each.which);
    std::int64_t begin = each.earliest;
    // A topic that appears while the query reads others is new, and all of it counts.
    const bool is_late = settings_.pattern.is_given() && has_planned_;
    if (is_late) {
      starts[each.which] = begin;
      fresh.pop_back();
      continue;
    }
    if (settings_.start.kind == start_kind::latest) begin = each.latest;
    if (const auto given = settings_.start.offsets.find(each.which); given != settings_.start.offsets.end()) {
      begin = given->second;
      if (begin < each.earliest || begin > each.latest)
        return failure{failure_class::configuration, "PMSTREAM429",
                       "the option start names offset " + std::to_string(begin) + " of " + split_of(each.which) +
                           ", which has offsets from " + std::to_string(each.earliest) + " to " +
                           std::to_string(each.latest),
                       split_of(each.which), "correct the option start"};
    }
    starts[each.which] = begin;
  }
  if (settings_.start.kind != start_kind::time || fresh.empty()) return starts;
  auto to = connected();
  if (!to) return to.error();
  const auto found = (*to)->offsets_at(fresh, settings_.start.milliseconds);
  if (!found) return found.error();
  for (std::size_t i = 0; i < fresh.size(); ++i) starts[fresh[i]] = (*found)[i];
  return starts;
}

/// How large records are is known once some have been read.
[[gnu::used]] inline std::int64_t topic_source::rows_within(const intake_limits& limits) {
  const std::lock_guard guard(lock_);
  const std::int64_t each = records_read_ == 0 ? 512 : std::max<std::int64_t>(1, bytes_read_ / records_read_);
  return std::min(limits.max_rows, std::max<std::int64_t>(1, limits.max_bytes / each));
}

[[gnu::used]] inline result<std::vector<split_range>> topic_source::plan(const intake_limits& limits) {
  show_progress();
  if (!frozen_)
    if (auto found = discover(false); !found) return found.error();
  if (auto fetched = plan_fetched(limits)) return std::move(*fetched);
  auto logs = look(partitions_);
  if (!logs && settings_.pattern.is_given() && logs.error().code == "PMSTREAM427") {
    if (auto found = discover(true); !found) return found.error();
    logs = look(partitions_);
  }
  if (!logs) return logs.error();
  if (frozen_) {
    std::erase_if(*logs, [&](const partition_log& each) { return !frozen_->contains(each.which); });
    for (partition_log& each : *logs) each.latest = std::min(each.latest, frozen_->at(each.which));
  }
  std::set<std::string> known_topics;
  for (const auto& [which, end] : planned_) known_topics.insert(which.topic);
  const auto starts = starts_of(*logs, known_topics);
  if (!starts) return starts.error();

  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> waiting;
  bool anything = false;
  for (const partition_log& each : *logs) {
    auto begin = begin_of(each, known_topics);
    if (!begin) return begin.error();
    if (*begin < 0) *begin = starts->at(each.which);
    begins.push_back(*begin);
    waiting.push_back(std::max<std::int64_t>(0, each.latest - *begin));
    anything = anything || waiting.back() > 0;
  }
  const std::vector<std::int64_t> shares = proportional_shares(waiting, rows_within(limits));
  std::vector<split_range> ranges;
  waiting_rows_ = 0;
  furthest_behind_.clear();
  for (std::size_t i = 0; i < logs->size(); ++i) {
    const partition& which = (*logs)[i].which;
    *waiting_rows_ += waiting[i] - shares[i];
    if (waiting[i] > shares[i]) furthest_behind_.push_back({split_of(which), waiting[i] - shares[i]});
    // An empty range is how the checkpoint remembers where a partition began that has no records yet.
    const bool is_new = !planned_.contains(which);
    const bool is_to_remember = is_new && (anything || settings_.start.kind != start_kind::earliest);
    if (shares[i] > 0 || is_to_remember) ranges.push_back({split_of(which), begins[i], begins[i] + shares[i]});
  }
  for (std::size_t i = 0; i < logs->size(); ++i) {
    const partition& which = (*logs)[i].which;
    if (shares[i] > 0 || !ranges.empty() || planned_.contains(which)) planned_[which] = begins[i] + shares[i];
  }
  has_planned_ = true;
  {
    const std::lock_guard guard(lock_);
    to_begin_.clear();
    for (const split_range& each : ranges)
      if (each.begin < each.end) to_begin_[partition_of(each.split)] = each.begin;
  }
  looked_ = clock::now();
  keep_worst(furthest_behind_, [](const client_metrics::split_lag& each) { return each.rows; });
  return ranges;
}

/// Nothing before the first records were read: there is no client for records yet, or it has told nothing.
[[gnu::used]] inline std::optional<client_metrics> topic_source::metrics() {
  const std::lock_guard guard(lock_);
  const auto told = client_ == nullptr ? std::nullopt : client_->statistics();
  if (!told) return std::nullopt;
  client_metrics found;
  found.queued_rows = told->queued_records;
  found.queued_bytes = told->queued_bytes;
  for (auto& [which, each] : cursors_) {
    const std::unique_lock alone(each.lock, std::try_to_lock);
    if (!alone) continue;
    found.queued_rows += static_cast<std::int64_t>(each.ahead.records());
    found.queued_bytes += static_cast<std::int64_t>(each.ahead.bytes());
  }
  found.furthest_behind = furthest_behind_;
  for (const auto& [name, each] : told->brokers)
    found.slowest_brokers.push_back({name, each.round_trip_seconds, each.throttled_seconds});
  keep_worst(found.slowest_brokers, [](const client_metrics::broker& each) { return each.round_trip_seconds; });
  return found;
}

/// A batch is planned when the one before it has been committed, so that all that has been read is done.
[[gnu::used]] inline void topic_source::show_progress() {
  const std::lock_guard guard(lock_);
  if (client_ == nullptr || settings_.reaching.group.empty()) return;
  std::map<partition, std::int64_t> changed;
  for (const auto& [which, offset] : read_up_to_)
    if (const auto shown = shown_.find(which); shown == shown_.end() || shown->second != offset)
      changed[which] = offset;
  client_->show_progress(changed);
  for (const auto& [which, offset] : changed) shown_[which] = offset;
}

}  // namespace etlantic::kafka::detail
