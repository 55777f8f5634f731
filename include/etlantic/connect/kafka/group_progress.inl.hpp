#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/handle.inl.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

namespace etlantic::kafka::detail {

/// Writes offsets for a group that nobody joins. As a request of administration, because a handle with a group waits
/// for its coordinator when it is closed, up to a minute, and gives up what it has not sent by then.
/// One request is under way at a time; what is shown meanwhile waits for its answer, the newest offset of a partition.
class group_progress {
 public:
  group_progress(connection& to, std::string group)
      : to_(to), group_(std::move(group)), answers_(rd_kafka_queue_new(to.handle())) {}
  group_progress(const group_progress&) = delete;
  group_progress& operator=(const group_progress&) = delete;
  ~group_progress() { rd_kafka_queue_destroy(answers_); }

  void show(const std::map<partition, std::int64_t>& next_offsets) {
    for (const auto& [which, offset] : next_offsets) waiting_[which] = offset;
    take_answer(0);
    send();
  }

  /// Waits a short time only: nothing depends on it.
  void finish() {
    const auto end = connection::clock::now() + std::chrono::milliseconds(std::min(6000, to_.timeout_ms()));
    for (send(); !sent_.empty(); send()) {
      const int left = milliseconds_until(end, patience_ms);
      if (left == 0) return;
      take_answer(left);
      if (sent_.empty() && !waiting_.empty()) to_.poll(50);
    }
  }

 private:
  static constexpr int patience_ms = 2000;

  // A coordinator that has just been made, or is just loading, refuses or says nothing. What was in vain is sent again
  // with the next offsets, or at the end.
  void take_answer(int timeout_ms) {
    if (sent_.empty()) return;
    rd_kafka_event_t* answer = rd_kafka_queue_poll(answers_, timeout_ms);
    if (answer == nullptr) return;
    if (!is_written(answer)) waiting_.merge(sent_);  // what is newer stays
    rd_kafka_event_destroy(answer);
    sent_.clear();
  }

  static bool is_written(rd_kafka_event_t* answer) {
    if (rd_kafka_event_error(answer) != RD_KAFKA_RESP_ERR_NO_ERROR) return false;
    std::size_t count = 0;
    const rd_kafka_group_result_t** groups = rd_kafka_AlterConsumerGroupOffsets_result_groups(
        rd_kafka_event_AlterConsumerGroupOffsets_result(answer), &count);
    for (std::size_t i = 0; i < count; ++i) {
      if (rd_kafka_group_result_error(groups[i]) != nullptr) return false;
      const rd_kafka_topic_partition_list_t* offsets = rd_kafka_group_result_partitions(groups[i]);
      for (int n = 0; offsets != nullptr && n < offsets->cnt; ++n)
        if (offsets->elems[n].err != RD_KAFKA_RESP_ERR_NO_ERROR) return false;
    }
    return true;
  }

  void send() {
    if (!sent_.empty() || waiting_.empty()) return;
    const owned_list list(rd_kafka_topic_partition_list_new(static_cast<int>(waiting_.size())));
    for (const auto& [which, offset] : waiting_)
      rd_kafka_topic_partition_list_add(list.get(), which.topic.c_str(), which.number)->offset = offset;
    rd_kafka_AlterConsumerGroupOffsets_t* wanted = rd_kafka_AlterConsumerGroupOffsets_new(group_.c_str(), list.get());
    rd_kafka_AdminOptions_t* options =
        rd_kafka_AdminOptions_new(to_.handle(), RD_KAFKA_ADMIN_OP_ALTERCONSUMERGROUPOFFSETS);
    char reason[512];
    rd_kafka_AdminOptions_set_request_timeout(options, patience_ms, reason, sizeof reason);
    rd_kafka_AlterConsumerGroupOffsets(to_.handle(), &wanted, 1, options, answers_);
    rd_kafka_AdminOptions_destroy(options);
    rd_kafka_AlterConsumerGroupOffsets_destroy(wanted);
    sent_ = std::exchange(waiting_, {});
  }

  connection& to_;
  std::string group_;
  rd_kafka_queue_t* answers_;
  std::map<partition, std::int64_t> waiting_;
  std::map<partition, std::int64_t> sent_;
};

}  // namespace etlantic::kafka::detail
