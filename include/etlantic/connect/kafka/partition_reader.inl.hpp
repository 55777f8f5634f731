#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/handle.inl.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::kafka::detail {

/// Of the interface for single partitions: it needs no group, and each partition has a queue of its own. Nothing is
/// paused, and a place is taken by beginning anew, because batches miscount after pause and seek in 2.0 and 2.1.
class librdkafka_reader final : public partition_reader {
 public:
  librdkafka_reader(std::shared_ptr<connection> to, partition which, std::int64_t offset)
      : to_(std::move(to)), which_(std::move(which)), reached_(offset) {}
  librdkafka_reader(const librdkafka_reader&) = delete;
  librdkafka_reader& operator=(const librdkafka_reader&) = delete;
  ~librdkafka_reader() override {
    drop();
    if (begun_ && !to_->ends() && !(stopping_may_hang() && has_lost_topic()))
      rd_kafka_consume_stop(to_->topic(which_.topic), which_.number);
  }

  result<void> begin() {
    if (rd_kafka_consume_start(to_->topic(which_.topic), which_.number, reached_) != 0)
      return to_->failure_of(rd_kafka_last_error(), "read from", which_.topic);
    begun_ = true;
    return {};
  }

  result<fetched> fetch(std::int64_t end, int timeout_ms) override {
    views_.clear();
    if (next_ == count_ && reached_ < end)
      if (auto filled = fill(timeout_ms); !filled) return filled.error();
    fetched got;
    while (next_ < count_) {
      const rd_kafka_message_t& message = *messages_[next_];
      if (message.err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
        reached_ = std::max(reached_, message.offset);
      } else if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET ||
                 message.err == RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE) {
        got.state = read_state::out_of_range;
      } else if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
        // The client goes on by itself after what may pass; the time limit of the source ends it.
        if (!may_pass(message.err) && !is_unknown_topic(message.err))
          return to_->failure_of(message.err, "read from", which_.topic);
      } else {
        // What lies behind the end says that all before it has been given.
        if (message.offset >= end) {
          reached_ = std::max(reached_, end);
          break;
        }
        views_.push_back(view_of(message));
        reached_ = message.offset + 1;
      }
      ++next_;
    }
    got.records = views_;
    got.reached = reached_;
    return got;
  }

  std::optional<std::string_view> header(const record_view& of, const std::string& name) override {
    rd_kafka_headers_t* headers = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    if (rd_kafka_message_headers(static_cast<const rd_kafka_message_t*>(of.origin), &headers) !=
            RD_KAFKA_RESP_ERR_NO_ERROR ||
        rd_kafka_header_get_last(headers, name.c_str(), &value, &size) != RD_KAFKA_RESP_ERR_NO_ERROR ||
        value == nullptr)
      return std::nullopt;
    return std::string_view(static_cast<const char*>(value), size);
  }

  std::vector<std::pair<std::string_view, std::optional<std::string_view>>> headers(const record_view& of) override {
    std::vector<std::pair<std::string_view, std::optional<std::string_view>>> found;
    rd_kafka_headers_t* headers = nullptr;
    if (rd_kafka_message_headers(static_cast<const rd_kafka_message_t*>(of.origin), &headers) !=
        RD_KAFKA_RESP_ERR_NO_ERROR)
      return found;
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

  static record_view view_of(const rd_kafka_message_t& message) {
    rd_kafka_timestamp_type_t kind{};
    return {static_cast<const char*>(message.payload),
            message.len,
            message.offset,
            static_cast<const char*>(message.key),
            message.key_len,
            rd_kafka_message_timestamp(&message, &kind),
            &message};
  }

  /// Nobody wants any more what is still there; among it may be the news that the topic was deleted.
  bool has_lost_topic() {
    rd_kafka_topic_t* const topic = to_->topic(which_.topic);
    bool lost = false;
    for (::ssize_t got = most; got == static_cast<::ssize_t>(most);) {
      got = rd_kafka_consume_batch(topic, which_.number, 0, messages_.data(), most);
      count_ = got < 0 ? 0 : static_cast<std::size_t>(got);
      for (std::size_t i = 0; i < count_; ++i) lost = lost || is_unknown_topic(messages_[i]->err);
      drop();
    }
    if (lost) to_->end();
    return lost;
  }

  /// See connection::end. Seen with 2.0.2, and not with 2.15.1.
  static bool stopping_may_hang() { return rd_kafka_version() < 0x020f01ff; }

  void drop() {
    for (std::size_t i = 0; i < count_; ++i) rd_kafka_message_destroy(messages_[i]);
    count_ = next_ = 0;
  }

  // The call for many waits until it has all of them, so that only the first one is waited for.
  result<void> fill(int timeout_ms) {
    drop();
    to_->poll(0);
    if (to_->notes().is_refused()) return to_->failure_of(RD_KAFKA_RESP_ERR__TIMED_OUT, "read from", which_.topic);
    rd_kafka_topic_t* const topic = to_->topic(which_.topic);
    ::ssize_t got = rd_kafka_consume_batch(topic, which_.number, 0, messages_.data(), most);
    if (got == 0 && timeout_ms > 0) got = rd_kafka_consume_batch(topic, which_.number, timeout_ms, messages_.data(), 1);
    if (got < 0) return to_->failure_of(rd_kafka_last_error(), "read from", which_.topic);
    count_ = static_cast<std::size_t>(got);
    return {};
  }

  std::shared_ptr<connection> to_;
  partition which_;
  std::int64_t reached_;
  bool begun_ = false;
  std::array<rd_kafka_message_t*, most> messages_{};
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  std::vector<record_view> views_;
};

}  // namespace etlantic::kafka::detail
