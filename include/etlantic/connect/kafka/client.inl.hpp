#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/group_progress.inl.hpp>
#include <etlantic/connect/kafka/handle.inl.hpp>
#include <etlantic/connect/kafka/partition_reader.inl.hpp>
#include <etlantic/connect/kafka/settings.inl.hpp>
#include <etlantic/connect/kafka/statistics.inl.hpp>

#include <optional>
#include <utility>

namespace etlantic::kafka {

namespace detail {

/// A broker answers what came on one connection in order, and a request for records waits there for new ones. So there
/// is one connection for records, and another one for questions.
class librdkafka_client final : public client {
 public:
  explicit librdkafka_client(const client_settings& settings)
      : settings_(settings), asking_(settings, settings.bootstrap_servers) {}
  librdkafka_client(const librdkafka_client&) = delete;
  librdkafka_client& operator=(const librdkafka_client&) = delete;
  ~librdkafka_client() override {
    if (reading_ != nullptr) reading_->end();
    if (shown_) shown_->finish();
  }

  result<void> open() { return open(asking_, false); }
  result<void> open(connection& which, bool for_records) const {
    std::vector<std::pair<std::string, std::string>> own{
        {"enable.auto.commit", "false"},
        {"auto.commit.enable", "false"},
        {"enable.auto.offset.store", "false"},
        {"enable.partition.eof", "true"},
        {"auto.offset.reset", "error"},
        {"isolation.level", settings_.undecided_too ? "read_uncommitted" : "read_committed"},
    };
    if (for_records) own.emplace_back("statistics.interval.ms", "1000");
    // Records that are begun to be read from another partition wait for the request that is under way.
    own.emplace_back("fetch.wait.max.ms", "100");
    // Before 2.2 a partition whose queue was full is not asked for a second, so that the queue must last that long.
    const bool looks_again_soon = rd_kafka_version() >= 0x020200ff;
    own.emplace_back("queued.max.messages.kbytes", looks_again_soon ? "8192" : "32768");
    if (looks_again_soon) own.emplace_back("fetch.queue.backoff.ms", "5");
    return which.open(RD_KAFKA_CONSUMER, own);
  }

  result<std::vector<std::int32_t>> partitions_of(const std::string& topic, bool was_there) override {
    return asking_.partitions_of(topic, was_there);
  }

  result<std::vector<std::string>> topics() override { return asking_.topics(); }

  // Not by the query for watermarks, which ignores its timeout before 2.3; this one takes the names of ends as times.
  result<std::vector<std::int64_t>> offsets(std::span<const partition> of, log_end which) override {
    return ask(of, which == log_end::earliest ? RD_KAFKA_OFFSET_BEGINNING : RD_KAFKA_OFFSET_END);
  }

  result<std::vector<std::int64_t>> offsets_at(std::span<const partition> of, std::int64_t milliseconds) override {
    auto found = ask(of, milliseconds);
    if (!found) return found;
    const auto ends = offsets(of, log_end::stable);
    if (!ends) return ends;
    for (std::size_t i = 0; i < of.size(); ++i)
      if ((*found)[i] < 0) (*found)[i] = (*ends)[i];
    return found;
  }

  result<std::unique_ptr<partition_reader>> read_from(const partition& which, std::int64_t offset) override {
    const std::lock_guard guard(lock_);
    if (reading_ == nullptr || reading_->ends()) {
      auto opened = std::make_shared<connection>(settings_, settings_.bootstrap_servers);
      if (auto done = open(*opened, true); !done) return done.error();
      reading_ = std::move(opened);
    }
    auto made = std::make_unique<librdkafka_reader>(reading_, which, offset);
    if (auto begun = made->begin(); !begun) return begun.error();
    return std::unique_ptr<partition_reader>(std::move(made));
  }

  std::optional<bool> await_records(std::chrono::microseconds most) override {
    std::shared_ptr<connection> from;
    {
      const std::lock_guard guard(lock_);
      from = reading_;
    }
    if (from == nullptr || from->ends()) return std::nullopt;
    from->poll(0);
    return from->arrivals().await(most);
  }

  std::optional<client_statistics> statistics() override {
    const std::lock_guard guard(lock_);
    if (reading_ == nullptr) return std::nullopt;
    reading_->poll(0);
    if (const std::string told = reading_->take_statistics(); !told.empty())
      if (auto read = read_statistics(told)) statistics_ = std::move(*read);
    return statistics_;
  }

  void show_progress(const std::map<partition, std::int64_t>& next_offsets) override {
    if (settings_.group.empty()) return;
    if (!shown_) shown_.emplace(asking_, settings_.group);
    shown_->show(next_offsets);
  }

 private:
  result<std::vector<std::int64_t>> ask(std::span<const partition> of, std::int64_t time) {
    if (of.empty()) return std::vector<std::int64_t>{};
    const auto end = asking_.deadline();
    rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR__TIMED_OUT;
    std::string topic = of.front().topic;
    int most = slice_ms;  // longer and longer, so that a slow answer comes and a refused login is seen soon
    while (const int slice = milliseconds_until(end, most)) {
      most = std::min(2 * most, longest_slice_ms);
      owned_list list(rd_kafka_topic_partition_list_new(static_cast<int>(of.size())));
      for (const partition& each : of)
        rd_kafka_topic_partition_list_add(list.get(), each.topic.c_str(), each.number)->offset = time;
      error = rd_kafka_offsets_for_times(asking_.handle(), list.get(), slice);
      asking_.poll(0);
      std::vector<std::int64_t> found;
      for (std::size_t i = 0; error == RD_KAFKA_RESP_ERR_NO_ERROR && i < of.size(); ++i) {
        const rd_kafka_topic_partition_t* answer =
            rd_kafka_topic_partition_list_find(list.get(), of[i].topic.c_str(), of[i].number);
        error = answer->err;
        topic = of[i].topic;
        found.push_back(answer->offset);
      }
      if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
        asking_.notes().forget();
        return found;
      }
      // The partitions are known, so that a broker which does not know them has just come back, or loses them.
      if ((!may_pass(error) && !is_unknown_topic(error)) || asking_.notes().is_refused()) break;
      asking_.poll(std::min(50, slice));
    }
    if (is_unknown_topic(error)) return vanished_topic(topic, asking_.where());
    return asking_.failure_of(error, "ask for the offsets of", topic);
  }

  client_settings settings_;
  connection asking_;
  std::optional<group_progress> shown_;
  std::mutex lock_;
  std::shared_ptr<connection> reading_;
  std::optional<client_statistics> statistics_;
};

}  // namespace detail

[[gnu::used]] inline result<std::shared_ptr<client>> make_client(const client_settings& settings) {
  auto made = std::make_shared<detail::librdkafka_client>(settings);
  if (auto opened = made->open(); !opened) return opened.error();
  return std::shared_ptr<client>(std::move(made));
}

}  // namespace etlantic::kafka
