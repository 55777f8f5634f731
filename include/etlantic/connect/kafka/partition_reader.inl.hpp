#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/handle.inl.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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
    drop();
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
    state_ = read_state::fine;
    if (next_ == count_)
      if (auto filled = fill(timeout_ms); !filled) return filled.error();
    for (bool goes_on = true; goes_on && next_ < count_;) {
      const rd_kafka_message_t& message = *messages_[next_++];
      if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
        if (auto passed = pass(message); !passed) return passed.error();
        continue;
      }
      lost_topic_ = false;
      reached_ = message.offset + 1;
      goes_on = to.take(view_of(message));
    }
    if (next_ == count_) drop();
    return fetched{state_, reached_};
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
  static constexpr std::size_t most = 1024;

  static void ring(rd_kafka_t*, void* bell) { static_cast<arrival_bell*>(bell)->ring(); }

  /// What is no record.
  result<void> pass(const rd_kafka_message_t& message) {
    if (message.err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      reached_ = std::max(reached_, message.offset);
      return {};
    }
    if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET || message.err == RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE) {
      state_ = read_state::out_of_range;
      return {};
    }
    // The client goes on by itself after what may pass; the time limit of the source ends it.
    const bool is_unknown = is_unknown_topic(message.err);
    lost_topic_ = lost_topic_ || is_unknown;
    if (is_unknown || may_pass(message.err)) return {};
    return to_->failure_of(message.err, "read from", which_.topic);
  }

  static rd_kafka_headers_t* headers_of(const record_view& record) {
    rd_kafka_headers_t* found = nullptr;
    const auto* const message = static_cast<const rd_kafka_message_t*>(record.origin);
    return rd_kafka_message_headers(message, &found) == RD_KAFKA_RESP_ERR_NO_ERROR ? found : nullptr;
  }

  /// Nobody wants any more what is still there; among it may be the news that the topic was deleted.
  bool has_lost_topic() {
    do {
      for (std::size_t i = next_; i < count_; ++i) lost_topic_ = lost_topic_ || is_unknown_topic(messages_[i]->err);
      drop();
      const ::ssize_t got = rd_kafka_consume_batch(topic(), which_.number, 0, messages_.data(), most);
      count_ = got < 0 ? 0 : static_cast<std::size_t>(got);
    } while (count_ > 0);
    if (lost_topic_) to_->end();
    return lost_topic_;
  }

  void drop() {
    for (std::size_t i = 0; i < count_; ++i) rd_kafka_message_destroy(messages_[i]);
    count_ = next_ = 0;
  }

  // The call for many waits until it has all of them, so that only the first one is waited for.
  result<void> fill(int timeout_ms) {
    drop();
    to_->poll(0);
    if (to_->notes().is_refused()) return to_->failure_of(RD_KAFKA_RESP_ERR__TIMED_OUT, "read from", which_.topic);
    ::ssize_t got = rd_kafka_consume_batch(topic(), which_.number, 0, messages_.data(), most);
    if (got == 0 && timeout_ms > 0)
      got = rd_kafka_consume_batch(topic(), which_.number, timeout_ms, messages_.data(), 1);
    if (got < 0) return to_->failure_of(rd_kafka_last_error(), "read from", which_.topic);
    count_ = static_cast<std::size_t>(got);
    return {};
  }

  /// See connection::end. Seen with 2.0.2, and not with 2.15.1.
  static bool stopping_may_hang() { return rd_kafka_version() < 0x020f01ff; }

  rd_kafka_topic_t* topic() { return to_->topic(which_.topic); }

  std::shared_ptr<connection> to_;
  partition which_;
  std::int64_t reached_;
  bool begun_ = false;
  read_state state_ = read_state::fine;
  std::array<rd_kafka_message_t*, most> messages_{};
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  bool lost_topic_ = false;  // as far as the client has told; a broker that has just come back says so for a while
  owned_queue queue_;        // tells when something comes into it
};

}  // namespace etlantic::kafka::detail
