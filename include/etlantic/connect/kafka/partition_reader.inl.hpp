#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/handle.inl.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::kafka::detail {

inline record_view view_of(const rd_kafka_message_t& message) {
  rd_kafka_timestamp_type_t kind{};
  return {static_cast<const char*>(message.payload),
          message.len,
          message.offset,
          static_cast<const char*>(message.key),
          message.key_len,
          rd_kafka_message_timestamp(&message, &kind),
          &message};
}

/// Of the interface for single partitions: it needs no group, and each partition has a queue of its own. Nothing is
/// paused, and a place is taken by beginning anew, because batches miscount after pause and seek in 2.0 and 2.1.
///
/// Records come by a callback, which costs least: the queue is locked once for all that is in it, and each record is
/// freed while it is in the cache. librdkafka calls it deprecated, because there will be no new call with a callback;
/// it has the same body in 2.0.2 and 2.15.0.
class librdkafka_reader final : public partition_reader {
 public:
  librdkafka_reader(std::shared_ptr<connection> to, partition which, std::int64_t offset)
      : to_(std::move(to)), which_(std::move(which)), reached_(offset) {}
  librdkafka_reader(const librdkafka_reader&) = delete;
  librdkafka_reader& operator=(const librdkafka_reader&) = delete;
  ~librdkafka_reader() override {
    queue_.reset();
    if (begun_ && !to_->ends() && !(stopping_may_hang() && has_lost_topic()))
      rd_kafka_consume_stop(topic(), which_.number);
  }

  result<void> begin() {
    if (rd_kafka_consume_start(topic(), which_.number, reached_) != 0)
      return to_->failure_of(rd_kafka_last_error(), "read from", which_.topic);
    begun_ = true;
    queue_.reset(rd_kafka_queue_get_partition(to_->handle(), which_.topic.c_str(), which_.number));
    if (queue_ != nullptr) rd_kafka_queue_cb_event_enable(queue_.get(), ring, &to_->arrivals());
    return {};
  }

  result<fetched> fetch(int timeout_ms, record_taker& to) override {
    to_->poll(0);
    if (to_->notes().is_refused()) return to_->failure_of(RD_KAFKA_RESP_ERR__TIMED_OUT, "read from", which_.topic);
    fetching now{*this, to};
    if (rd_kafka_consume_callback(topic(), which_.number, timeout_ms, fetching::take, &now) < 0)
      return to_->failure_of(rd_kafka_last_error(), "read from", which_.topic);
    if (now.has_yielded) forget_yield();
    if (now.thrown) std::rethrow_exception(now.thrown);
    if (now.error != RD_KAFKA_RESP_ERR_NO_ERROR) return to_->failure_of(now.error, "read from", which_.topic);
    return fetched{now.state, reached_};
  }

  std::optional<std::string_view> header(const record_view& of, const std::string& name) override {
    rd_kafka_headers_t* const headers = headers_of(of);
    const void* value = nullptr;
    std::size_t size = 0;
    if (headers == nullptr ||
        rd_kafka_header_get_last(headers, name.c_str(), &value, &size) != RD_KAFKA_RESP_ERR_NO_ERROR ||
        value == nullptr)
      return std::nullopt;
    return std::string_view(static_cast<const char*>(value), size);
  }

  std::vector<std::pair<std::string_view, std::optional<std::string_view>>> headers(const record_view& of) override {
    std::vector<std::pair<std::string_view, std::optional<std::string_view>>> found;
    rd_kafka_headers_t* const headers = headers_of(of);
    if (headers == nullptr) return found;
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    while (rd_kafka_header_get_all(headers, found.size(), &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR) {
      found.emplace_back(name, std::nullopt);
      if (value != nullptr) found.back().second = std::string_view(static_cast<const char*>(value), size);
    }
    return found;
  }

 private:
  static void ring(rd_kafka_t*, void* bell) { static_cast<arrival_bell*>(bell)->ring(); }

  /// One call of `fetch`.
  struct fetching {
    librdkafka_reader& by;
    record_taker& to;
    read_state state = read_state::fine;
    rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
    std::exception_ptr thrown{};
    bool has_yielded = false;

    /// What is in the queue behind this record goes back to its beginning.
    void yield() {
      rd_kafka_yield(by.to_->handle());
      has_yielded = true;
    }

    // An exception may not pass through librdkafka, which is C.
    static void take(rd_kafka_message_t* message, void* opaque) noexcept {
      fetching& now = *static_cast<fetching*>(opaque);
      try {
        if (!now.by.take(*message, now)) now.yield();
      } catch (...) {
        now.thrown = std::current_exception();
        now.yield();
      }
    }
  };

  /// False: no more.
  bool take(const rd_kafka_message_t& message, fetching& now) {
    if (message.err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      lost_topic_ = false;
      reached_ = message.offset + 1;
      return now.to.take(view_of(message));
    }
    if (message.err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      reached_ = std::max(reached_, message.offset);
      return true;
    }
    if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET || message.err == RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE) {
      now.state = read_state::out_of_range;
      return true;
    }
    // The client goes on by itself after what may pass; the time limit of the source ends it.
    const bool is_unknown = is_unknown_topic(message.err);
    lost_topic_ = lost_topic_ || is_unknown;
    if (is_unknown || may_pass(message.err)) return true;
    now.error = message.err;
    return false;
  }

  static rd_kafka_headers_t* headers_of(const record_view& record) {
    rd_kafka_headers_t* found = nullptr;
    const auto* const message = static_cast<const rd_kafka_message_t*>(record.origin);
    return rd_kafka_message_headers(message, &found) == RD_KAFKA_RESP_ERR_NO_ERROR ? found : nullptr;
  }

  /// The mark that a callback has yielded stays with the thread, where an operation of another kind that is thrown away
  /// next, as when a partition is given up, takes it for its own and asserts. The call for many takes the mark away,
  /// also where it is asked for none.
  void forget_yield() { rd_kafka_consume_batch(topic(), which_.number, 0, nullptr, 0); }

  /// Nobody wants any more what is still there; among it may be the news that the topic was deleted.
  bool has_lost_topic() {
    const auto look = [](rd_kafka_message_t* message, void* found) {
      bool& is_lost = *static_cast<bool*>(found);
      is_lost = is_lost || is_unknown_topic(message->err);
    };
    rd_kafka_consume_callback(topic(), which_.number, 0, look, &lost_topic_);
    if (lost_topic_) to_->end();
    return lost_topic_;
  }

  /// See connection::end. Seen with 2.0.2, and not with 2.15.1.
  static bool stopping_may_hang() { return rd_kafka_version() < 0x020f01ff; }

  rd_kafka_topic_t* topic() { return to_->topic(which_.topic); }

  std::shared_ptr<connection> to_;
  partition which_;
  std::int64_t reached_;
  bool begun_ = false;
  bool lost_topic_ = false;  // as far as the client has told; a broker that has just come back says so for a while
  owned_queue queue_;        // tells when something comes into it
};

}  // namespace etlantic::kafka::detail
