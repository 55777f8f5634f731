#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/settings.hpp>

#include <librdkafka/rdkafka.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Owners of what librdkafka gives out. Only bodies include this.

namespace etlantic::kafka {

struct handle_closer {
  // Without saying goodbye to the group: nobody has joined it.
  void operator()(rd_kafka_t* handle) const { rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE); }
};
struct configuration_closer {
  void operator()(rd_kafka_conf_t* configuration) const { rd_kafka_conf_destroy(configuration); }
};
struct topic_closer {
  void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
};
struct queue_closer {
  void operator()(rd_kafka_queue_t* queue) const {
    rd_kafka_queue_cb_event_enable(queue, nullptr, nullptr);
    rd_kafka_queue_destroy(queue);
  }
};
struct list_closer {
  void operator()(rd_kafka_topic_partition_list_t* list) const { rd_kafka_topic_partition_list_destroy(list); }
};
struct error_closer {
  void operator()(rd_kafka_error_t* error) const { rd_kafka_error_destroy(error); }
};

using owned_configuration = std::unique_ptr<rd_kafka_conf_t, configuration_closer>;
using owned_topic = std::unique_ptr<rd_kafka_topic_t, topic_closer>;
using owned_queue = std::unique_ptr<rd_kafka_queue_t, queue_closer>;
using owned_list = std::unique_ptr<rd_kafka_topic_partition_list_t, list_closer>;
using owned_error = std::unique_ptr<rd_kafka_error_t, error_closer>;

/// What the client said last about its connections; calls that time out know only that they did.
class connection_notes {
 public:
  void add(rd_kafka_resp_err_t error, std::string text) {
    const std::lock_guard guard(lock_);
    // That brokers are down is said after a login was refused too, and says less.
    if (is_refused_ && !is_refusal(error)) return;
    error_ = error;
    text_ = std::move(text);
    is_refused_ = is_refused_ || is_refusal(error);
  }
  void forget() {
    const std::lock_guard guard(lock_);
    error_ = RD_KAFKA_RESP_ERR_NO_ERROR;
    text_.clear();
    is_refused_ = false;
  }
  bool is_refused() const {
    const std::lock_guard guard(lock_);
    return is_refused_;
  }
  std::pair<rd_kafka_resp_err_t, std::string> last() const {
    const std::lock_guard guard(lock_);
    return {error_, text_};
  }

  /// Trying again would be refused again.
  static bool is_refusal(rd_kafka_resp_err_t error) {
    switch (error) {
      case RD_KAFKA_RESP_ERR__AUTHENTICATION:
      case RD_KAFKA_RESP_ERR__SSL:
      case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
      case RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM:
      case RD_KAFKA_RESP_ERR_ILLEGAL_SASL_STATE:
      case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
      case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
      case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED: return true;
      default: return false;
    }
  }

 private:
  mutable std::mutex lock_;
  rd_kafka_resp_err_t error_ = RD_KAFKA_RESP_ERR_NO_ERROR;
  std::string text_;
  bool is_refused_ = false;
};

/// That something came for a partition. Told by threads of librdkafka, waited for by one thread.
class arrival_bell {
 public:
  void ring() {
    {
      const std::lock_guard guard(lock_);
      ++rung_;
    }
    changed_.notify_one();
  }
  /// Whether it was rung since the last call.
  bool await(std::chrono::microseconds most) {
    std::unique_lock guard(lock_);
    const bool came = changed_.wait_for(guard, most, [&] { return rung_ != heard_; });
    heard_ = rung_;
    return came;
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::uint64_t rung_ = 0;
  std::uint64_t heard_ = 0;
};

/// A handle with its settings and what it says about its connections.
class connection {
 public:
  using clock = std::chrono::steady_clock;

  connection(const client_settings& settings, std::string where) : settings_(settings), where_(std::move(where)) {}
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection() { topics_.clear(); }

  /// `own` are defaults of the connector; what the user has set comes first. The callbacks get the connection as
  /// their last argument.
  result<void> open(rd_kafka_type_t type, const std::vector<std::pair<std::string, std::string>>& own,
                    void (*delivered)(rd_kafka_t*, const rd_kafka_message_t*, void*) = nullptr,
                    void (*rebalanced)(rd_kafka_t*, rd_kafka_resp_err_t, rd_kafka_topic_partition_list_t*,
                                       void*) = nullptr);

  rd_kafka_t* handle() const { return handle_.get(); }
  const std::string& where() const { return where_; }
  int timeout_ms() const { return settings_.timeout_ms; }
  clock::time_point deadline() const { return clock::now() + std::chrono::milliseconds(settings_.timeout_ms); }
  connection_notes& notes() { return notes_; }
  arrival_bell& arrivals() { return arrivals_; }

  void note_statistics(std::string json) {
    const std::lock_guard guard(lock_);
    statistics_ = std::move(json);
  }
  /// What came since the last call; empty: nothing.
  std::string take_statistics() {
    const std::lock_guard guard(lock_);
    return std::exchange(statistics_, {});
  }

  /// The handle is about to be closed, or a topic of it is gone. A partition that is stopped after its topic was
  /// deleted keeps its broker's thread, for which closing the handle then waits for ever; one that is not stopped does
  /// not.
  void end() { ends_ = true; }
  bool ends() const { return ends_; }

  rd_kafka_topic_t* topic(const std::string& name);

  /// Serves callbacks; waits that long if there are none.
  void poll(int timeout_ms) { rd_kafka_poll(handle_.get(), timeout_ms); }

  /// How many partitions a topic has, asked until there is an answer or the time is over.
  result<std::vector<std::int32_t>> partitions_of(const std::string& name, bool was_there);

  /// All topics, asked until there is an answer or the time is over.
  result<std::vector<std::string>> topics();

  /// What an error means, with what the client said about its connections if the error does not say more than that.
  failure failure_of(rd_kafka_resp_err_t error, const std::string& doing, const std::string& topic = {});

  /// The text with all secrets of the settings taken out.
  std::string without_secrets(std::string text) const;

 private:
  client_settings settings_;
  std::string where_;
  connection_notes notes_;
  arrival_bell arrivals_;
  std::unique_ptr<rd_kafka_t, handle_closer> handle_;
  std::mutex lock_;
  std::map<std::string, owned_topic> topics_;
  std::string statistics_;
  std::atomic<bool> ends_ = false;
};

/// What is left until then, at most `most`.
inline int milliseconds_until(connection::clock::time_point deadline, int most) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - connection::clock::now()).count();
  return left <= 0 ? 0 : left < most ? static_cast<int>(left) : most;
}

}  // namespace etlantic::kafka
