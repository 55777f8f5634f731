#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/handle.inl.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::kafka::detail {

/// What the group gives to a member, or takes from it.
struct partition_change {
  bool taken_away = false;
  std::vector<partition> partitions;
};

/// A connection that writes down what the group says. Nothing is answered within the callback: what is taken away has
/// to end first, and the connection is served meanwhile.
class member_connection final : public connection {
 public:
  using connection::connection;
  std::deque<partition_change> changes;
};

inline void note_change(rd_kafka_t*, rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* partitions,
                        void* opaque) {
  auto* const to = static_cast<member_connection*>(static_cast<connection*>(opaque));
  partition_change change{what != RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS, {}};
  for (int i = 0; i < partitions->cnt; ++i)
    change.partitions.push_back({partitions->elems[i].topic, partitions->elems[i].partition});
  to->changes.push_back(std::move(change));
}

/// A member of a consumer group that reads nothing: it takes the partitions that the group gives it as an empty list,
/// so that its client fetches no records, and others read them. Used by one thread.
class membership {
 public:
  explicit membership(const client_settings& settings) : connection_(settings, settings.bootstrap_servers) {}
  membership(const membership&) = delete;
  membership& operator=(const membership&) = delete;
  ~membership() {
    leave();
    if (answers_ != nullptr) rd_kafka_queue_destroy(answers_);
  }

  /// Partitions stay where they are unless they have to move: a member that comes or goes disturbs the others little.
  result<void> open(const std::string& group, int discover_interval_ms) {
    std::vector<std::pair<std::string, std::string>> own{
        {"group.id", group},
        {"partition.assignment.strategy", "cooperative-sticky"},
        {"enable.auto.commit", "false"},
        {"enable.auto.offset.store", "false"},
        {"auto.offset.reset", "error"},
        // The member that shares partitions out has to learn of new ones.
        {"topic.metadata.refresh.interval.ms", std::to_string(std::max(discover_interval_ms, 1000))},
    };
    if (auto opened = connection_.open(RD_KAFKA_CONSUMER, own, nullptr, note_change); !opened) return opened;
    rd_kafka_poll_set_consumer(connection_.handle());
    answers_ = rd_kafka_queue_new(connection_.handle());
    return {};
  }

  result<void> subscribe(const std::vector<std::string>& topics) {
    const owned_list list(rd_kafka_topic_partition_list_new(static_cast<int>(topics.size())));
    for (const std::string& each : topics)
      rd_kafka_topic_partition_list_add(list.get(), each.c_str(), RD_KAFKA_PARTITION_UA);
    const rd_kafka_resp_err_t error = rd_kafka_subscribe(connection_.handle(), list.get());
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return connection_.failure_of(error, "join the group");
    is_member_ = true;
    return {};
  }

  /// Serves the membership; the next change, if the one before it is settled.
  result<std::optional<partition_change>> look(int timeout_ms) {
    take_answer(0);
    if (waiting_.size() > 0 && clock::now() >= next_commit_) commit();
    rd_kafka_message_t* const message = rd_kafka_consumer_poll(connection_.handle(), timeout_ms);
    if (message != nullptr) {
      const rd_kafka_resp_err_t error = message->err;
      const std::string said = error == RD_KAFKA_RESP_ERR_NO_ERROR ? "" : rd_kafka_message_errstr(message);
      rd_kafka_message_destroy(message);
      if (ends_membership(error)) {
        connection_.notes().add(error, said);
        return connection_.failure_of(error, "be a member of the group");
      }
    }
    if (connection_.notes().is_refused())
      return connection_.failure_of(RD_KAFKA_RESP_ERR__TIMED_OUT, "be a member of the group");
    if (given_ || connection_.changes.empty()) return std::optional<partition_change>();
    given_ = true;
    return std::optional(connection_.changes.front());
  }

  /// Answers the change that `look` gave: what was taken away may go to another member.
  result<void> settle() {
    if (connection_.changes.empty()) return {};
    given_ = false;
    const partition_change change = std::move(connection_.changes.front());
    connection_.changes.pop_front();
    if (change.taken_away) {
      commit_all();
      for (const partition& each : change.partitions) waiting_.erase(each);
    }
    return answer(change.taken_away);
  }

  /// Commits it soon, and before the partition goes to another member.
  void show(const partition& which, std::int64_t next_offset) { waiting_[which] = next_offset; }

  /// What the group has committed last.
  result<std::optional<std::int64_t>> shown(const partition& which) {
    const auto end = connection_.deadline();
    rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR__TIMED_OUT;
    while (const int slice = milliseconds_until(end, longest_slice_ms)) {
      const owned_list list(rd_kafka_topic_partition_list_new(1));
      rd_kafka_topic_partition_list_add(list.get(), which.topic.c_str(), which.number);
      error = rd_kafka_committed(connection_.handle(), list.get(), slice);
      if (error == RD_KAFKA_RESP_ERR_NO_ERROR) error = list->elems[0].err;
      if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
        const std::int64_t offset = list->elems[0].offset;
        return offset < 0 ? std::optional<std::int64_t>() : std::optional(offset);
      }
      if (!may_pass(error) || connection_.notes().is_refused()) break;
      connection_.poll(std::min(50, slice));
    }
    return connection_.failure_of(error, "ask for the group's offsets of", which.topic);
  }

  /// Says goodbye, so that the others get the partitions at once. Waits a short time only.
  void leave() {
    if (!std::exchange(is_member_, false)) return;
    commit_all();
    while (!connection_.changes.empty()) (void)settle();
    rd_kafka_queue_t* const queue = rd_kafka_queue_new(connection_.handle());
    const owned_error refused(rd_kafka_consumer_close_queue(connection_.handle(), queue));
    const auto end = clock::now() + std::chrono::milliseconds(longest_leave_ms);
    while (refused == nullptr && rd_kafka_consumer_closed(connection_.handle()) == 0 && clock::now() < end) {
      rd_kafka_queue_poll_callback(queue, 20);
      while (!connection_.changes.empty()) (void)settle();
    }
    rd_kafka_queue_destroy(queue);
  }

 private:
  using clock = connection::clock;
  static constexpr int longest_commit_ms = 2000;
  static constexpr int longest_leave_ms = 5000;
  static constexpr auto commit_interval = std::chrono::milliseconds(500);

  static bool ends_membership(rd_kafka_resp_err_t error) {
    switch (error) {
      case RD_KAFKA_RESP_ERR__FATAL:
      case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
      case RD_KAFKA_RESP_ERR_INCONSISTENT_GROUP_PROTOCOL:
      case RD_KAFKA_RESP_ERR_INVALID_GROUP_ID:
      case RD_KAFKA_RESP_ERR_INVALID_SESSION_TIMEOUT:
      case RD_KAFKA_RESP_ERR_GROUP_MAX_SIZE_REACHED: return true;
      default: return connection_notes::is_refusal(error);
    }
  }

  result<void> answer(bool taken_away) {
    rd_kafka_t* const handle = connection_.handle();
    const owned_list nothing(rd_kafka_topic_partition_list_new(1));
    const char* const protocol = rd_kafka_rebalance_protocol(handle);
    if (protocol != nullptr && std::string_view(protocol) == "COOPERATIVE") {
      const owned_error refused(taken_away ? rd_kafka_incremental_unassign(handle, nothing.get())
                                           : rd_kafka_incremental_assign(handle, nothing.get()));
      if (refused == nullptr) return {};
      return connection_.failure_of(rd_kafka_error_code(refused.get()), "be a member of the group");
    }
    // Also when the membership was lost meanwhile and there is no protocol.
    const rd_kafka_resp_err_t error = rd_kafka_assign(handle, taken_away ? nullptr : nothing.get());
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return {};
    return connection_.failure_of(error, "be a member of the group");
  }

  void commit() {
    if (waiting_.empty() || !sent_.empty()) return;
    next_commit_ = clock::now() + commit_interval;
    const owned_list list(rd_kafka_topic_partition_list_new(static_cast<int>(waiting_.size())));
    for (const auto& [which, offset] : waiting_)
      rd_kafka_topic_partition_list_add(list.get(), which.topic.c_str(), which.number)->offset = offset;
    if (rd_kafka_commit_queue(connection_.handle(), list.get(), answers_, nullptr, nullptr) ==
        RD_KAFKA_RESP_ERR_NO_ERROR)
      sent_ = std::exchange(waiting_, {});
  }

  /// Waits, a short time only, for what is under way and then for what came since.
  void commit_all() {
    take_answer(longest_commit_ms);
    commit();
    take_answer(longest_commit_ms);
  }

  /// What was in vain is sent again with the next offsets; what is newer stays.
  void take_answer(int timeout_ms) {
    if (sent_.empty()) return;
    rd_kafka_event_t* const answer = rd_kafka_queue_poll(answers_, timeout_ms);
    if (answer == nullptr) return;
    if (rd_kafka_event_error(answer) != RD_KAFKA_RESP_ERR_NO_ERROR) waiting_.merge(sent_);
    rd_kafka_event_destroy(answer);
    sent_.clear();
  }

  member_connection connection_;
  rd_kafka_queue_t* answers_ = nullptr;
  bool is_member_ = false;
  bool given_ = false;  // the first change, to be settled
  std::map<partition, std::int64_t> waiting_;
  std::map<partition, std::int64_t> sent_;
  clock::time_point next_commit_{};
};

}  // namespace etlantic::kafka::detail
