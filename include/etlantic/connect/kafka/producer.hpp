#pragma once
#include <etlantic/connect/kafka/handle.hpp>
#include <etlantic/connect/kafka/outgoing_record.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic::kafka {

/// What a record is and who sent it, for those who drop copies.
struct record_headers {
  std::string query;
  std::string load;
  std::string batch;
};

/// Sends records and knows when they are there. Idempotent: records of a key keep their order, and what the client
/// sends a second time is written once.
class producer {
 public:
  /// `transactional_id` is empty for a producer without transactions.
  static result<std::unique_ptr<producer>> open(const client_settings& settings, const std::string& transactional_id);

  /// Ends what another producer of this id has left: before this, nothing of it can be told for sure.
  result<void> take_over();

  /// `is_compacted`: keeps the newest of each key. That somebody else was faster is no failure.
  result<void> create_topic(const std::string& topic, bool is_compacted);

  /// The value in a topic's configuration; none if the cluster does not tell it.
  result<std::optional<std::string>> setting_of(const std::string& topic, std::string_view name);

  result<void> begin();
  /// Takes the record; whether it arrived `finish` says.
  result<void> send(const std::string& topic, std::optional<std::string_view> key, std::string_view value,
                    const record_headers* headers = nullptr, std::int64_t index = 0);
  result<void> send(const std::string& topic, const outgoing_record& record);
  /// Waits for all that was sent.
  result<void> finish();
  result<void> commit();
  /// For a short time only: what is not ended here, the next one who takes over ends.
  void abort();

 private:
  struct deliveries {
    std::int64_t failed = 0;
    rd_kafka_resp_err_t first = RD_KAFKA_RESP_ERR_NO_ERROR;
  };

  producer(const client_settings& settings) : to_(settings, settings.bootstrap_servers) {}
  static void delivered(rd_kafka_t*, const rd_kafka_message_t* message, void*);
  failure failure_of(rd_kafka_error_t* error, const std::string& doing);
  /// Takes the headers, which may be null.
  result<void> send(const std::string& topic, std::optional<std::string_view> key,
                    std::optional<std::string_view> value, rd_kafka_headers_t* headers);

  connection to_;
  deliveries deliveries_;
  std::string topic_;
};

}  // namespace etlantic::kafka
