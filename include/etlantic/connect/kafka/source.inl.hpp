#pragma once
#include <etlantic/connect/kafka/client.inl.hpp>
#include <etlantic/connect/kafka/embedded_records.hpp>
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/proportional_share.hpp>
#include <etlantic/connect/kafka/settings.inl.hpp>
#include <etlantic/connect/kafka/source.hpp>
#include <etlantic/connect/kafka/start_option.inl.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace etlantic::kafka {

namespace detail {

/// A partition as a plan finds it.
struct partition_log {
  partition which;
  std::int64_t earliest = 0;
  std::int64_t latest = 0;
};

/// One partition that is being read. Used by one thread at a time.
struct partition_cursor {
  std::mutex lock;
  std::unique_ptr<partition_reader> reader;
  std::int64_t next = -1;
  std::vector<document> documents;
};

class topic_source final : public source {
 public:
  topic_source(source_settings settings, client_factory clients)
      : settings_(std::move(settings)), clients_(std::move(clients)) {}

  result<std::vector<split_range>> plan(const intake_limits& limits) override;
  result<void> restore(const std::vector<split_range>& read) override;
  result<void> read(const split_range& range, intake& into) override;
  result<void> freeze() override;
  std::vector<std::string> finished(const std::vector<std::string>& splits) override;
  waiting_input waiting() override { return {.rows = waiting_rows_}; }

  std::vector<std::string> take_warnings() override {
    const std::lock_guard guard(lock_);
    return std::exchange(warnings_, {});
  }

  std::string describe() const override {
    std::string topics;
    for (const std::string& each : settings_.topics) topics += (topics.empty() ? "" : ", ") + each;
    return "Kafka topics " + topics + " of " + settings_.reaching.bootstrap_servers;
  }

 private:
  using clock = std::chrono::steady_clock;

  result<std::shared_ptr<client>> connected();
  result<void> discover(bool now);
  result<std::vector<partition_log>> look(const std::vector<partition>& at);
  result<std::int64_t> begin_of(const partition_log& log, const std::set<std::string>& known_topics);
  result<std::map<partition, std::int64_t>> starts_of(const std::vector<partition_log>& logs,
                                                      const std::set<std::string>& known_topics);
  std::int64_t rows_within(const intake_limits& limits);
  void show_progress();

  result<void> read_range(partition_cursor& at, const partition& which, const split_range& range, intake& into);
  result<void> take(partition_cursor& at, const fetched& got, const split_range& range, intake& into);
  result<void> hand_over(partition_cursor& at, const split_range& range, intake& into);
  result<void> verify_still_there(partition_cursor& at, const partition& which, const split_range& range);
  result<void> lose(std::string sentence, const partition& which);
  failure silence(const partition& which) const;

  source_settings settings_;
  client_factory clients_;

  std::mutex lock_;  // of all that readers in several threads share
  std::map<partition, partition_cursor> cursors_;
  std::shared_ptr<client> client_;  // closed before its readers are
  std::map<partition, std::int64_t> read_up_to_;
  std::int64_t bytes_read_ = 0;
  std::int64_t records_read_ = 0;
  std::vector<std::string> warnings_;

  std::map<partition, std::int64_t> planned_;  // the end of what was planned
  std::optional<std::int64_t> waiting_rows_;   // offsets behind it, when it was planned
  std::vector<partition> partitions_;
  std::optional<clock::time_point> discovered_;
  std::optional<std::map<partition, std::int64_t>> frozen_;
  std::map<partition, std::int64_t> shown_;
};

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
  read_up_to_.clear();
  shown_.clear();
  planned_.clear();
  waiting_rows_.reset();
  partitions_.clear();
  discovered_.reset();
  frozen_.reset();
  for (const split_range& range : read) {
    const partition which = partition_of(range.split);
    const bool is_ours =
        std::find(settings_.topics.begin(), settings_.topics.end(), which.topic) != settings_.topics.end();
    if (which.number >= 0 && is_ours) planned_[which] = range.end;
  }
  return {};
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
  for (const std::string& topic : settings_.topics) {
    const bool was_there =
        std::any_of(found.begin(), found.end(), [&](const partition& each) { return each.topic == topic; });
    const auto numbers = (*to)->partitions_of(topic, was_there);
    if (!numbers) return numbers.error();
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
  auto logs = look(partitions_);
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
  for (std::size_t i = 0; i < logs->size(); ++i) {
    const partition& which = (*logs)[i].which;
    *waiting_rows_ += waiting[i] - shares[i];
    // An empty range is how the checkpoint remembers where a partition began that has no records yet.
    const bool is_new = !planned_.contains(which);
    const bool is_to_remember = is_new && (anything || settings_.start.kind != start_kind::earliest);
    if (shares[i] > 0 || is_to_remember) ranges.push_back({split_of(which), begins[i], begins[i] + shares[i]});
  }
  for (std::size_t i = 0; i < logs->size(); ++i) {
    const partition& which = (*logs)[i].which;
    if (shares[i] > 0 || !ranges.empty() || planned_.contains(which)) planned_[which] = begins[i] + shares[i];
  }
  return ranges;
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

[[gnu::used]] inline result<void> topic_source::read(const split_range& range, intake& into) {
  if (range.begin >= range.end) return {};
  const partition which = partition_of(range.split);
  partition_cursor* at = nullptr;
  {
    const std::lock_guard guard(lock_);
    at = &cursors_[which];
  }
  const std::lock_guard alone(at->lock);
  result<void> done = read_range(*at, which, range, into);
  if (!done) {
    at->reader.reset();
    return done;
  }
  const std::lock_guard guard(lock_);
  read_up_to_[which] = range.end;
  return done;
}

[[gnu::used]] inline failure topic_source::silence(const partition& which) const {
  return unreachable("nothing has come from the partition for " + std::to_string(settings_.reaching.timeout_ms) + " ms",
                     split_of(which) + " of " + settings_.reaching.bootstrap_servers);
}

[[gnu::used]] inline result<void> topic_source::read_range(partition_cursor& at, const partition& which,
                                                           const split_range& range, intake& into) {
  auto to = connected();
  if (!to) return to.error();
  if (at.next != range.begin) at.reader.reset();
  at.next = range.begin;
  into.storage().clear();
  at.documents.clear();
  auto moved = clock::now();
  auto looked = moved;
  while (at.next < range.end) {
    if (at.reader == nullptr) {
      auto begun = (*to)->read_from(which, at.next);
      if (!begun) return begun.error();
      at.reader = std::move(*begun);
    }
    const auto got = at.reader->fetch(range.end, 100);
    if (!got) return got.error();
    if (auto taken = take(at, *got, range, into); !taken) return taken;
    const auto now = clock::now();
    if (!got->records.empty() || got->reached > at.next) moved = looked = now;
    at.next = std::max(at.next, std::min(got->reached, range.end));
    if (at.next >= range.end) break;
    // A partition that says nothing may be slow, or it may have lost what was planned.
    const bool is_out_of_range = got->state == read_state::out_of_range;
    const auto patience = std::chrono::milliseconds(std::min(1000, settings_.reaching.timeout_ms / 2));
    if (!is_out_of_range && now - looked < patience) continue;
    if (now - moved > std::chrono::milliseconds(settings_.reaching.timeout_ms)) return silence(which);
    if (auto there = verify_still_there(at, which, range); !there) return there;
    looked = clock::now();
    if (is_out_of_range) at.reader.reset();
  }
  return hand_over(at, range, into);
}

[[gnu::used]] inline result<void> topic_source::take(partition_cursor& at, const fetched& got, const split_range& range,
                                                     intake& into) {
  std::int64_t deleted = 0;
  std::int64_t bytes = 0;
  for (const record_view& each : got.records) {
    if (each.offset < at.next) continue;
    at.next = each.offset + 1;
    if (each.value == nullptr) {
      ++deleted;
      continue;
    }
    buffer& arena = into.storage();
    at.documents.push_back(
        {static_cast<std::uint32_t>(arena.size()), static_cast<std::uint32_t>(each.size), each.offset});
    arena.append(each.value, each.size);
    arena.append("\n", 1);
    bytes += static_cast<std::int64_t>(each.size);
    if (arena.size() >= settings_.chunk_bytes)
      if (auto given = hand_over(at, range, into); !given) return given;
  }
  if (deleted != 0) into.skipped(deleted);
  if (got.records.empty()) return {};
  const std::lock_guard guard(lock_);
  bytes_read_ += bytes;
  records_read_ += static_cast<std::int64_t>(got.records.size());
  return {};
}

[[gnu::used]] inline result<void> topic_source::hand_over(partition_cursor& at, const split_range& range,
                                                          intake& into) {
  if (at.documents.empty()) return {};
  buffer& arena = into.storage();
  arena.reserve(arena.size());
  auto given = into.documents(range.split, {reinterpret_cast<const char*>(arena.data()), arena.size()}, at.documents);
  arena.clear();
  at.documents.clear();
  return given;
}

/// What was planned may have expired, or have been cut off, before it was read.
[[gnu::used]] inline result<void> topic_source::verify_still_there(partition_cursor& at, const partition& which,
                                                                   const split_range& range) {
  const auto logs = look({which});
  if (!logs) return logs.error();
  const partition_log& log = logs->front();
  if (log.latest < range.end) {
    at.next = range.end;
    at.reader.reset();
    return lose("offsets " + std::to_string(range.begin) + " to " + std::to_string(range.end) + " of " + range.split +
                    " were planned, but the partition ends at " + std::to_string(log.latest) +
                    " now: the topic was cut or created anew, and how many records are lost is not known",
                which);
  }
  if (log.earliest <= at.next) return {};
  const std::int64_t behind = std::min(log.earliest, range.end);
  auto lost = lose("offsets " + std::to_string(at.next) + " to " + std::to_string(behind) + " of " + range.split +
                       " were planned, but the partition begins at " + std::to_string(log.earliest) + " now: up to " +
                       std::to_string(behind - at.next) + " records expired before they were read",
                   which);
  at.next = behind;
  at.reader.reset();
  return lost;
}

}  // namespace detail

[[gnu::used]] inline std::shared_ptr<source> make_source(source_settings settings, client_factory clients) {
  return std::make_shared<detail::topic_source>(std::move(settings), std::move(clients));
}

}  // namespace etlantic::kafka

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<source>> make_kafka_source(const asset_binding& binding) {
  auto reaching = kafka::client_settings_of(binding, kafka::client_role::consumer);
  if (!reaching) return reaching.error();
  kafka::source_settings settings;
  settings.reaching = std::move(*reaching);
  const std::string topics = option_of(binding, "topics");
  if (topics.empty()) return kafka::wrong_option("the option topics is missing", "name a topic, or a list of them");
  settings.topics = kafka::detail::parts_of(topics);
  if (const std::string folder = option_of(binding, "embedded_folder"); !folder.empty())
    for (const std::string& each : settings.topics)
      if (auto filled = kafka::fill_embedded_topic(each, folder); !filled) return filled.error();
  auto start = kafka::parse_start(option_of(binding, "start"));
  if (!start) return start.error();
  settings.start = std::move(*start);
  settings.continues_after_loss = option_of(binding, "on_data_loss") == "continue";
  const auto interval =
      kafka::detail::milliseconds_option(binding, "discover_interval_ms", settings.discover_interval_ms);
  if (!interval) return interval.error();
  settings.discover_interval_ms = *interval;
  return kafka::make_source(std::move(settings));
}

}  // namespace etlantic
