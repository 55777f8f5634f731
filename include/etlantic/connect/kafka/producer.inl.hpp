#pragma once
#include <etlantic/connect/kafka/handle.inl.hpp>
#include <etlantic/connect/kafka/producer.hpp>
#include <etlantic/connect/kafka/topic_setting.inl.hpp>

#include <algorithm>
#include <utility>

namespace etlantic::kafka {

[[gnu::used]] inline void producer::delivered(rd_kafka_t*, const rd_kafka_message_t* message, void*) {
  if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  auto& counted = *static_cast<deliveries*>(message->_private);
  // What is given up behind the first one is not what went wrong.
  if (counted.failed++ == 0) counted.first = message->err;
}

[[gnu::used]] inline result<std::unique_ptr<producer>> producer::open(const client_settings& settings,
                                                                      const std::string& transactional_id) {
  std::unique_ptr<producer> made(new producer(settings));
  std::vector<std::pair<std::string, std::string>> own{
      {"enable.idempotence", "true"},
      {"acks", "all"},
      {"message.timeout.ms", std::to_string(std::max(1000, settings.timeout_ms))},
  };
  if (!transactional_id.empty()) {
    own.emplace_back("transactional.id", transactional_id);
    own.emplace_back("transaction.timeout.ms", std::to_string(std::max(60'000, settings.timeout_ms)));
  }
  if (auto opened = made->to_.open(RD_KAFKA_PRODUCER, own, delivered); !opened) return opened.error();
  return made;
}

[[gnu::used]] inline failure producer::failure_of(rd_kafka_error_t* error, const std::string& doing) {
  const owned_error owned(error);
  const rd_kafka_resp_err_t code = rd_kafka_error_code(error);
  failure made = to_.failure_of(code, doing, topic_);
  made.message += std::string(" (") + to_.without_secrets(rd_kafka_error_string(error)) + ")";
  return made;
}

[[gnu::used]] inline result<void> producer::take_over() {
  const auto end = to_.deadline();
  for (;;) {
    // It goes on where the call before left it.
    rd_kafka_error_t* error = rd_kafka_init_transactions(to_.handle(), std::max(1, milliseconds_until(end, 1000)));
    if (error == nullptr) {
      to_.notes().forget();
      return {};
    }
    to_.poll(0);
    const bool again =
        rd_kafka_error_is_retriable(error) && !to_.notes().is_refused() && milliseconds_until(end, 1) > 0;
    if (!again) return failure_of(error, "begin publishing into");
    rd_kafka_error_destroy(error);
  }
}

[[gnu::used]] inline result<void> producer::create_topic(const std::string& topic, bool is_compacted) {
  topic_ = topic;
  char reason[512];
  rd_kafka_NewTopic_t* wanted = rd_kafka_NewTopic_new(topic.c_str(), is_compacted ? 1 : -1, -1, reason, sizeof reason);
  if (wanted == nullptr) return wrong_option("the topic `" + topic + "` cannot be created: " + reason, "");
  if (is_compacted) {
    rd_kafka_NewTopic_set_config(wanted, "cleanup.policy", "compact");
    // So that a start reads little of it.
    rd_kafka_NewTopic_set_config(wanted, "segment.bytes", "16777216");
  }
  rd_kafka_queue_t* answers = rd_kafka_queue_new(to_.handle());
  rd_kafka_AdminOptions_t* options = rd_kafka_AdminOptions_new(to_.handle(), RD_KAFKA_ADMIN_OP_CREATETOPICS);
  rd_kafka_AdminOptions_set_request_timeout(options, std::max(1000, to_.timeout_ms()), reason, sizeof reason);
  rd_kafka_CreateTopics(to_.handle(), &wanted, 1, options, answers);
  rd_kafka_event_t* answer = rd_kafka_queue_poll(answers, std::max(1000, to_.timeout_ms()) + 500);
  rd_kafka_resp_err_t error = answer == nullptr ? RD_KAFKA_RESP_ERR__TIMED_OUT : rd_kafka_event_error(answer);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    std::size_t count = 0;
    const rd_kafka_topic_result_t** topics =
        rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(answer), &count);
    if (count == 1) error = rd_kafka_topic_result_error(topics[0]);
  }
  if (answer != nullptr) rd_kafka_event_destroy(answer);
  rd_kafka_AdminOptions_destroy(options);
  rd_kafka_queue_destroy(answers);
  rd_kafka_NewTopic_destroy(wanted);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR || error == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) return {};
  return to_.failure_of(error, "create the topic", topic);
}

[[gnu::used]] inline result<std::optional<std::string>> producer::setting_of(const std::string& topic,
                                                                             std::string_view name) {
  return detail::topic_setting(to_, topic, name);
}

[[gnu::used]] inline result<void> producer::begin() {
  deliveries_ = {};
  rd_kafka_error_t* error = rd_kafka_begin_transaction(to_.handle());
  return error == nullptr ? result<void>() : failure_of(error, "begin a transaction for");
}

namespace detail {

inline void add_header(rd_kafka_headers_t* to, std::string_view name, std::optional<std::string_view> value) {
  rd_kafka_header_add(to, name.data(), static_cast<::ssize_t>(name.size()), value ? value->data() : nullptr,
                      value ? static_cast<::ssize_t>(value->size()) : 0);
}

}  // namespace detail

[[gnu::used]] inline result<void> producer::send(const std::string& topic, std::optional<std::string_view> key,
                                                 std::string_view value, const record_headers* headers,
                                                 std::int64_t index) {
  if (headers == nullptr) return send(topic, key, value, static_cast<rd_kafka_headers_t*>(nullptr));
  rd_kafka_headers_t* written = rd_kafka_headers_new(4);
  detail::add_header(written, "etlantic-query", headers->query);
  detail::add_header(written, "etlantic-load", headers->load);
  detail::add_header(written, "etlantic-batch", headers->batch);
  detail::add_header(written, "etlantic-index", std::to_string(index));
  return send(topic, key, value, written);
}

[[gnu::used]] inline result<void> producer::send(const std::string& topic, const outgoing_record& record) {
  rd_kafka_headers_t* written = rd_kafka_headers_new(record.headers.size());
  for (const record_header_text& each : record.headers) detail::add_header(written, each.name, each.value);
  return send(topic, record.key, record.value, written);
}

[[gnu::used]] inline result<void> producer::send(const std::string& topic, std::optional<std::string_view> key,
                                                 std::optional<std::string_view> value, rd_kafka_headers_t* headers) {
  topic_ = topic;
  const auto end = to_.deadline();
  for (;;) {
    rd_kafka_vu_t parts[6] = {};
    std::size_t count = 0;
    parts[count].vtype = RD_KAFKA_VTYPE_RKT;
    parts[count++].u.rkt = to_.topic(topic);
    parts[count].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    parts[count++].u.i = RD_KAFKA_MSG_F_COPY;
    parts[count].vtype = RD_KAFKA_VTYPE_OPAQUE;
    parts[count++].u.ptr = &deliveries_;
    const auto add_bytes = [&](rd_kafka_vtype_t kind, std::string_view bytes) {
      parts[count].vtype = kind;
      // Is copied; without bytes null would be no key and no value.
      parts[count].u.mem.ptr = const_cast<char*>(bytes.empty() ? "" : bytes.data());
      parts[count++].u.mem.size = bytes.size();
    };
    if (value) add_bytes(RD_KAFKA_VTYPE_VALUE, *value);
    if (key) add_bytes(RD_KAFKA_VTYPE_KEY, *key);
    if (headers != nullptr) {
      parts[count].vtype = RD_KAFKA_VTYPE_HEADERS;
      parts[count++].u.headers = headers;
    }
    rd_kafka_error_t* error = rd_kafka_produceva(to_.handle(), parts, count);
    if (error == nullptr) return {};
    if (rd_kafka_error_code(error) != RD_KAFKA_RESP_ERR__QUEUE_FULL || deliveries_.failed != 0 ||
        milliseconds_until(end, 1) == 0) {
      if (headers != nullptr) rd_kafka_headers_destroy(headers);
      return failure_of(error, "write into");
    }
    rd_kafka_error_destroy(error);
    to_.poll(50);
  }
}

[[gnu::used]] inline result<void> producer::finish() {
  const auto end = to_.deadline() + std::chrono::seconds(5);  // the records have their own limit, which says why
  while (rd_kafka_outq_len(to_.handle()) > 0) {
    const int slice = milliseconds_until(end, detail::slice_ms);
    if (slice == 0) return to_.failure_of(RD_KAFKA_RESP_ERR__TIMED_OUT, "write into", topic_);
    rd_kafka_flush(to_.handle(), slice);
    if (to_.notes().is_refused()) return to_.failure_of(RD_KAFKA_RESP_ERR__TIMED_OUT, "write into", topic_);
  }
  const deliveries counted = std::exchange(deliveries_, {});
  if (counted.failed == 0) return {};
  failure why = to_.failure_of(counted.first, "write into", topic_);
  why.message += "; " + std::to_string(counted.failed) + " records did not arrive";
  return why;
}

/// What has timed out may be done or not; the ledger tells it after the next start.
[[gnu::used]] inline result<void> producer::commit() {
  const auto end = to_.deadline();
  for (;;) {
    rd_kafka_error_t* error = rd_kafka_commit_transaction(to_.handle(), std::max(1, milliseconds_until(end, 5000)));
    if (error == nullptr) {
      to_.notes().forget();
      return {};
    }
    if (!rd_kafka_error_is_retriable(error) || milliseconds_until(end, 1) == 0)
      return failure_of(error, "commit the transaction on");
    rd_kafka_error_destroy(error);
  }
}

[[gnu::used]] inline void producer::abort() {
  if (rd_kafka_error_t* error = rd_kafka_abort_transaction(to_.handle(), 2000)) rd_kafka_error_destroy(error);
  deliveries_ = {};
}

}  // namespace etlantic::kafka
