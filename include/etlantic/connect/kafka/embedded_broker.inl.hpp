#pragma once
#include <etlantic/connect/kafka/embedded_broker.hpp>
#include <etlantic/connect/kafka/failure.hpp>

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <mutex>

namespace etlantic::kafka {

namespace detail {

class mock_broker final : public embedded_broker {
 public:
  mock_broker() = default;
  mock_broker(const mock_broker&) = delete;
  mock_broker& operator=(const mock_broker&) = delete;
  ~mock_broker() override {
    if (producer_ != nullptr) rd_kafka_destroy(producer_);
    if (cluster_ != nullptr) rd_kafka_mock_cluster_destroy(cluster_);
    if (owner_ != nullptr) rd_kafka_destroy(owner_);
  }

  result<void> begin() {
    owner_ = handle({});
    if (owner_ == nullptr) return refused();
    cluster_ = rd_kafka_mock_cluster_new(owner_, 1);
    if (cluster_ == nullptr) return refused();
    producer_ = handle(bootstrap_servers());
    return producer_ == nullptr ? result<void>(refused()) : result<void>();
  }

  std::string bootstrap_servers() const override { return rd_kafka_mock_cluster_bootstraps(cluster_); }

  result<void> create_topic(const std::string& topic, int partitions) override {
    const auto error = rd_kafka_mock_topic_create(cluster_, topic.c_str(), partitions, 1);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR || error == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) return {};
    return wrong_option(std::string("the embedded broker cannot create the topic: ") + rd_kafka_err2str(error), "");
  }

  result<void> add(const std::string& topic, std::optional<std::string_view> value, std::optional<std::int32_t> number,
                   std::string_view key) override {
    return add_record(topic, {.value = value,
                              .key = key.empty() ? std::nullopt : std::optional(key),
                              .headers = {},
                              .partition = number,
                              .milliseconds = {}});
  }

  result<void> add_record(const std::string& topic, const embedded_record& record) override {
    rd_kafka_vu_t parts[7] = {};
    std::size_t count = 0;
    parts[count].vtype = RD_KAFKA_VTYPE_TOPIC;
    parts[count++].u.cstr = topic.c_str();
    parts[count].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    parts[count++].u.i = RD_KAFKA_MSG_F_COPY | RD_KAFKA_MSG_F_BLOCK;
    parts[count].vtype = RD_KAFKA_VTYPE_PARTITION;
    parts[count++].u.i32 = record.partition.value_or(RD_KAFKA_PARTITION_UA);
    const auto add_bytes = [&](rd_kafka_vtype_t kind, std::string_view bytes) {
      static char nothing = 0;
      parts[count].vtype = kind;
      parts[count].u.mem.ptr = bytes.empty() ? &nothing : const_cast<char*>(bytes.data());
      parts[count++].u.mem.size = bytes.size();
    };
    if (record.value) add_bytes(RD_KAFKA_VTYPE_VALUE, *record.value);
    if (record.key) add_bytes(RD_KAFKA_VTYPE_KEY, *record.key);
    if (record.milliseconds) {
      parts[count].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
      parts[count++].u.i64 = *record.milliseconds;
    }
    rd_kafka_headers_t* headers = nullptr;
    if (!record.headers.empty()) {
      headers = rd_kafka_headers_new(record.headers.size());
      for (const auto& [name, text] : record.headers)
        rd_kafka_header_add(headers, name.c_str(), -1, text ? text->c_str() : nullptr,
                            text ? static_cast<::ssize_t>(text->size()) : 0);
      parts[count].vtype = RD_KAFKA_VTYPE_HEADERS;
      parts[count++].u.headers = headers;
    }
    rd_kafka_error_t* error = rd_kafka_produceva(producer_, parts, count);
    if (error == nullptr) return {};
    if (headers != nullptr) rd_kafka_headers_destroy(headers);
    failure why =
        wrong_option(std::string("the embedded broker does not take a record: ") + rd_kafka_error_string(error), "");
    rd_kafka_error_destroy(error);
    return why;
  }

  result<void> flush() override {
    const auto error = rd_kafka_flush(producer_, 30'000);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return {};
    return wrong_option(std::string("the embedded broker does not take records: ") + rd_kafka_err2str(error), "");
  }

  void set_round_trip(int milliseconds) override { rd_kafka_mock_broker_set_rtt(cluster_, -1, milliseconds); }
  void set_down(bool is_down) override {
    if (is_down)
      rd_kafka_mock_broker_set_down(cluster_, 1);
    else
      rd_kafka_mock_broker_set_up(cluster_, 1);
  }
  void fail_requests(std::int16_t kind, const std::vector<int>& errors) override {
    std::vector<rd_kafka_resp_err_t> codes;
    for (const int each : errors) codes.push_back(static_cast<rd_kafka_resp_err_t>(each));
    rd_kafka_mock_push_request_errors_array(cluster_, kind, codes.size(), codes.data());
  }

 private:
  rd_kafka_t* handle(const std::string& servers) {
    rd_kafka_conf_t* configuration = rd_kafka_conf_new();
    rd_kafka_conf_set_log_cb(configuration, [](const rd_kafka_t*, int, const char*, const char*) {});
    if (!servers.empty())
      rd_kafka_conf_set(configuration, "bootstrap.servers", servers.c_str(), reason_, sizeof reason_);
    rd_kafka_conf_set(configuration, "linger.ms", "1", reason_, sizeof reason_);
    rd_kafka_conf_set(configuration, "enable.idempotence", "true", reason_, sizeof reason_);
    rd_kafka_t* made = rd_kafka_new(RD_KAFKA_PRODUCER, configuration, reason_, sizeof reason_);
    if (made == nullptr) rd_kafka_conf_destroy(configuration);
    return made;
  }
  failure refused() const {
    return {failure_class::resource_exhausted, "PMSTREAM413",
            std::string("the embedded broker does not start: ") + reason_, "embedded Kafka broker",
            "it needs threads and a port of the loopback interface"};
  }

  rd_kafka_t* owner_ = nullptr;
  rd_kafka_mock_cluster_t* cluster_ = nullptr;
  rd_kafka_t* producer_ = nullptr;
  char reason_[512] = "";
};

}  // namespace detail

[[gnu::used]] inline result<std::unique_ptr<embedded_broker>> embedded_broker::start() {
  auto made = std::make_unique<detail::mock_broker>();
  if (auto begun = made->begin(); !begun) return begun.error();
  return std::unique_ptr<embedded_broker>(std::move(made));
}

[[gnu::used]] inline result<embedded_broker*> embedded_broker::of_process() {
  static std::mutex lock;
  static std::unique_ptr<embedded_broker> started;
  const std::lock_guard guard(lock);
  if (started == nullptr) {
    auto made = start();
    if (!made) return made.error();
    started = std::move(*made);
  }
  return started.get();
}

}  // namespace etlantic::kafka
