#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/collected_details.hpp>
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/records_ahead.hpp>
#include <etlantic/connect/kafka/source.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::kafka::detail {

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
  std::int64_t next = -1;  // where the range behind those that were read begins; -1: not known
  records_ahead ahead;
};

class topic_source final : public source {
 public:
  topic_source(source_settings settings, client_factory clients)
      : settings_(std::move(settings)), clients_(std::move(clients)) {}

  result<void> open(const schema& contract) override {
    wanted_ = wanted_details::of(contract.record);
    return {};
  }
  void give_origins() override { wanted_.any = wanted_.origins = true; }
  result<std::vector<split_range>> plan(const intake_limits& limits) override;
  result<void> restore(const std::vector<split_range>& read) override;
  result<void> read(const split_range& range, intake& into) override;
  result<void> freeze() override;
  std::vector<std::string> finished(const std::vector<std::string>& splits) override;
  std::optional<bool> await_rows(duration most) override;
  waiting_input waiting() override { return {.rows = waiting_rows_}; }
  std::optional<client_metrics> metrics() override;

  std::vector<std::string> take_warnings() override {
    const std::lock_guard guard(lock_);
    return std::exchange(warnings_, {});
  }

  std::string describe() const override {
    if (settings_.only)
      return "Kafka partition " + split_of(*settings_.only) + " of " + settings_.reaching.bootstrap_servers;
    if (settings_.pattern.is_given())
      return "Kafka topics that fit " + settings_.pattern.expression() + " of " + settings_.reaching.bootstrap_servers;
    std::string topics;
    for (const std::string& each : settings_.topics) topics += (topics.empty() ? "" : ", ") + each;
    return "Kafka topics " + topics + " of " + settings_.reaching.bootstrap_servers;
  }

 private:
  using clock = std::chrono::steady_clock;
  class ahead_taker;

  result<std::shared_ptr<client>> connected();
  result<void> discover(bool now);
  result<std::vector<std::string>> topics_to_look_at(client& of, const std::set<partition>& known);
  result<std::vector<std::int32_t>> numbers_of(client& of, const std::string& topic, bool was_there);
  result<std::vector<std::int32_t>> only_number_of(client& of, const std::string& topic, bool was_there);
  result<std::vector<partition_log>> look(const std::vector<partition>& at);
  result<std::int64_t> begin_of(const partition_log& log, const std::set<std::string>& known_topics);
  result<std::map<partition, std::int64_t>> starts_of(const std::vector<partition_log>& logs,
                                                      const std::set<std::string>& known_topics);
  std::int64_t rows_within(const intake_limits& limits);
  partition_cursor& cursor_of(const partition& which);
  bool take_fetched(partition_cursor& at);
  std::optional<std::vector<split_range>> plan_fetched(const intake_limits& limits);
  void show_progress();

  result<void> read_range(partition_cursor& at, const partition& which, const split_range& range, intake& into);
  void begin_planned(client& with, const partition& own);
  std::vector<partition_cursor*> others_of(const partition& which);
  void take_others(std::span<partition_cursor* const> others, std::size_t& turn);
  result<fetched> fetch(partition_cursor& at, int timeout_ms, std::size_t most);
  void drop(partition_cursor& at);
  result<void> hand_over(record_chunk& chunk, const split_range& range, intake& into);
  result<void> verify_still_there(partition_cursor& at, const partition& which, const split_range& range);
  result<void> lose(std::string sentence, const partition& which);
  failure silence(const partition& which) const;

  source_settings settings_;
  client_factory clients_;
  wanted_details wanted_;

  std::mutex lock_;  // of all that readers in several threads share
  std::map<partition, partition_cursor> cursors_;
  spare_chunks spare_;
  std::map<partition, std::int64_t> to_begin_;  // what was planned, from where on, until the first of it is read
  std::shared_ptr<client> client_;              // closed before its readers are
  std::map<partition, std::int64_t> read_up_to_;
  std::int64_t bytes_read_ = 0;
  std::int64_t records_read_ = 0;
  std::vector<std::string> warnings_;

  std::map<partition, std::int64_t> planned_;  // the end of what was planned
  std::optional<std::int64_t> waiting_rows_;   // offsets behind it, when it was planned
  std::vector<client_metrics::split_lag> furthest_behind_;
  bool has_planned_ = false;  // ever, as far as the checkpoint tells
  bool has_told_of_none_ = false;
  std::vector<partition> partitions_;
  std::optional<clock::time_point> discovered_;
  std::optional<clock::time_point> looked_;  // at what the cluster has
  bool awaits_ = false;                      // rows, so that they are fetched as they come
  std::optional<std::map<partition, std::int64_t>> frozen_;
  std::map<partition, std::int64_t> shown_;
};

}  // namespace etlantic::kafka::detail
