#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/source.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::test {

/// A log with holes: what is between the records are markers of transactions, or was compacted away.
struct fake_log {
  std::int64_t earliest = 0;
  std::int64_t stable = 0;
  std::map<std::int64_t, std::optional<std::string>> records{};

  static fake_log filled(std::int64_t from, std::int64_t to) {
    fake_log made{from, to, {}};
    for (std::int64_t offset = from; offset < to; ++offset) made.records[offset] = std::to_string(offset);
    return made;
  }
};

/// A cluster in memory, as simple as the interface allows: for what brokers in a process cannot be brought to do.
struct fake_cluster {
  std::map<kafka::partition, fake_log> logs;
  std::map<kafka::partition, std::int64_t> shown;
  int times_read_from = 0;
  std::map<kafka::partition, int> taken;  // records
  int times_asked = 0;                    // for offsets
  std::optional<kafka::client_statistics> told;

  class reader final : public kafka::partition_reader {
   public:
    reader(fake_cluster& of, kafka::partition which, std::int64_t at) : of_(of), which_(std::move(which)), at_(at) {}

    result<kafka::fetched> fetch(int, kafka::record_taker& to) override {
      const fake_log& log = of_.logs.at(which_);
      kafka::fetched got;
      if (at_ < log.earliest || at_ > log.stable) {
        got.state = kafka::read_state::out_of_range;
        got.reached = at_;
        return got;
      }
      auto next = log.records.lower_bound(at_);
      int given = 0;
      for (; next != log.records.end() && next->first < log.stable && given < 3; ++next, ++given) {
        at_ = next->first + 1;
        ++of_.taken[which_];
        if (!to.take(
                {next->second ? next->second->data() : nullptr, next->second ? next->second->size() : 0, next->first}))
          break;
      }
      // As a broker says: where the next record is, or that the end is reached.
      if (given == 0) at_ = next == log.records.end() || next->first >= log.stable ? log.stable : next->first;
      got.reached = at_;
      return got;
    }

   private:
    fake_cluster& of_;
    kafka::partition which_;
    std::int64_t at_;
  };

  class connected final : public kafka::client {
   public:
    explicit connected(fake_cluster& to) : to_(to) {}

    result<std::vector<std::int32_t>> partitions_of(const std::string& topic, bool) override {
      std::vector<std::int32_t> numbers;
      for (const auto& [which, log] : to_.logs)
        if (which.topic == topic) numbers.push_back(which.number);
      if (numbers.empty()) return kafka::missing_topic(topic, "fake");
      return numbers;
    }
    result<std::vector<std::string>> topics() override {
      std::vector<std::string> names;
      for (const auto& [which, log] : to_.logs)
        if (names.empty() || names.back() != which.topic) names.push_back(which.topic);
      return names;
    }
    result<std::vector<std::int64_t>> offsets(std::span<const kafka::partition> of, kafka::log_end which) override {
      ++to_.times_asked;
      std::vector<std::int64_t> found;
      for (const kafka::partition& each : of)
        found.push_back(which == kafka::log_end::earliest ? to_.logs.at(each).earliest : to_.logs.at(each).stable);
      return found;
    }
    /// Record n is of millisecond n.
    result<std::vector<std::int64_t>> offsets_at(std::span<const kafka::partition> of, std::int64_t time) override {
      std::vector<std::int64_t> found;
      for (const kafka::partition& each : of) {
        const auto next = to_.logs.at(each).records.lower_bound(time);
        found.push_back(next == to_.logs.at(each).records.end() ? to_.logs.at(each).stable : next->first);
      }
      return found;
    }
    result<std::unique_ptr<kafka::partition_reader>> read_from(const kafka::partition& which,
                                                               std::int64_t offset) override {
      ++to_.times_read_from;
      return std::unique_ptr<kafka::partition_reader>(std::make_unique<reader>(to_, which, offset));
    }
    std::optional<bool> await_records(std::chrono::microseconds) override { return true; }
    std::optional<kafka::client_statistics> statistics() override { return to_.told; }
    void show_progress(const std::map<kafka::partition, std::int64_t>& next) override {
      for (const auto& [which, offset] : next) to_.shown[which] = offset;
    }

   private:
    fake_cluster& to_;
  };

  std::shared_ptr<source> source_of(kafka::source_settings settings) {
    settings.reaching.bootstrap_servers = "fake";
    settings.discover_interval_ms = 0;
    return kafka::make_source(std::move(settings), [this](const kafka::client_settings&) {
      return result<std::shared_ptr<kafka::client>>(std::make_shared<connected>(*this));
    });
  }
};

}  // namespace etlantic::test
