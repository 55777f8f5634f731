#pragma once
#include <etlantic/connect/kafka/topic_pattern.inl.hpp>
#include <etlantic/connect/kafka/topic_source.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace etlantic::kafka::detail {

[[gnu::used]] inline result<std::shared_ptr<client>> topic_source::connected() {
  const std::lock_guard guard(lock_);
  if (client_ == nullptr) {
    auto made = clients_(settings_.reaching);
    if (!made) return made.error();
    client_ = std::move(*made);
  }
  return client_;
}

[[gnu::used]] inline result<void> topic_source::restore(const std::vector<split_range>& read) {
  const std::lock_guard guard(lock_);
  client_.reset();
  cursors_.clear();
  to_begin_.clear();
  read_up_to_.clear();
  shown_.clear();
  planned_.clear();
  waiting_rows_.reset();
  furthest_behind_.clear();
  partitions_.clear();
  discovered_.reset();
  looked_.reset();
  awaits_ = false;
  frozen_.reset();
  for (const split_range& range : read) {
    const partition which = partition_of(range.split);
    const bool is_ours = settings_.pattern.is_given() ? settings_.pattern.fits(which.topic)
                                                      : std::find(settings_.topics.begin(), settings_.topics.end(),
                                                                  which.topic) != settings_.topics.end();
    if (which.number >= 0 && is_ours) planned_[which] = range.end;
  }
  has_planned_ = !read.empty();
  return {};
}

/// Of a pattern: those that fit now, and those that have been read before, which may be gone.
[[gnu::used]] inline result<std::vector<std::string>> topic_source::topics_to_look_at(
    client& of, const std::set<partition>& known) {
  if (settings_.only) return std::vector{settings_.only->topic};
  if (!settings_.pattern.is_given()) return settings_.topics;
  const auto all = of.topics();
  if (!all) return all.error();
  std::set<std::string> fitting;
  for (const std::string& each : *all)
    if (settings_.pattern.fits(each)) fitting.insert(each);
  for (const partition& each : known) fitting.insert(each.topic);
  if (fitting.empty() && !std::exchange(has_told_of_none_, true)) {
    const std::lock_guard guard(lock_);
    warnings_.push_back("no topic fits " + settings_.pattern.expression() + " yet; new ones are looked for");
  }
  return std::vector<std::string>(fitting.begin(), fitting.end());
}

/// No partitions: the topic of a pattern is gone, and the query goes on without it.
[[gnu::used]] inline result<std::vector<std::int32_t>> topic_source::numbers_of(client& of, const std::string& topic,
                                                                                bool was_there) {
  if (settings_.only) return only_number_of(of, topic, was_there);
  auto numbers = of.partitions_of(topic, was_there);
  if (numbers || !settings_.pattern.is_given() || numbers.error().code != "PMSTREAM427") return numbers;
  if (was_there)
    if (auto lost = lose("the topic `" + topic +
                             "`, which had been read, is not there any more: what was not read of it "
                             "is lost",
                         {topic, 0});
        !lost)
      return lost.error();
  return std::vector<std::int32_t>{};
}

/// Of one partition of a group. Brokers do not learn of a new one at the same time.
[[gnu::used]] inline result<std::vector<std::int32_t>> topic_source::only_number_of(client& of,
                                                                                    const std::string& topic,
                                                                                    bool was_there) {
  const auto end = clock::now() + std::chrono::milliseconds(settings_.reaching.timeout_ms);
  for (;;) {
    const auto numbers = of.partitions_of(topic, was_there);
    if (!numbers) return numbers;
    if (std::find(numbers->begin(), numbers->end(), settings_.only->number) != numbers->end())
      return std::vector{settings_.only->number};
    if (clock::now() > end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  if (auto lost = lose("the partition " + split_of(*settings_.only) + " is not there any more", *settings_.only); !lost)
    return lost.error();
  return std::vector<std::int32_t>{};
}

/// A partition that was there and is not listed stays: an answer without it is an error of the cluster, or the topic is
/// another one, which its offsets will tell.
[[gnu::used]] inline result<void> topic_source::discover(bool now) {
  const auto time = clock::now();
  if (!now && discovered_ && time - *discovered_ < std::chrono::milliseconds(settings_.discover_interval_ms)) return {};
  auto to = connected();
  if (!to) return to.error();
  std::set<partition> found(partitions_.begin(), partitions_.end());
  for (const auto& [which, end] : planned_) found.insert(which);
  const auto topics = topics_to_look_at(**to, found);
  if (!topics) return topics.error();
  for (const std::string& topic : *topics) {
    const bool was_there =
        std::any_of(found.begin(), found.end(), [&](const partition& each) { return each.topic == topic; });
    const auto numbers = numbers_of(**to, topic, was_there);
    if (!numbers) return numbers.error();
    if (numbers->empty()) {
      std::erase_if(found, [&](const partition& each) { return each.topic == topic; });
      std::erase_if(planned_, [&](const auto& each) { return each.first.topic == topic; });
      continue;
    }
    for (const std::int32_t number : *numbers) found.insert({topic, number});
    for (const partition& each : found)
      if (each.topic == topic && std::find(numbers->begin(), numbers->end(), each.number) == numbers->end()) {
        if (auto lost = lose("the partition " + split_of(each) +
                                 " is not there any more: the topic was created anew with fewer of them",
                             each);
            !lost)
          return lost;
        planned_.erase(each);
      }
    std::erase_if(found, [&](const partition& each) {
      return each.topic == topic && std::find(numbers->begin(), numbers->end(), each.number) == numbers->end();
    });
  }
  partitions_.assign(found.begin(), found.end());
  discovered_ = time;
  return {};
}

[[gnu::used]] inline result<std::vector<partition_log>> topic_source::look(const std::vector<partition>& at) {
  auto to = connected();
  if (!to) return to.error();
  const auto earliest = (*to)->offsets(at, log_end::earliest);
  if (!earliest) return earliest.error();
  const auto latest = (*to)->offsets(at, log_end::stable);
  if (!latest) return latest.error();
  std::vector<partition_log> logs;
  for (std::size_t i = 0; i < at.size(); ++i) logs.push_back({at[i], (*earliest)[i], (*latest)[i]});
  return logs;
}

}  // namespace etlantic::kafka::detail
