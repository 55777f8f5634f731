#pragma once
#include "support/catch.hpp"

#include <librdkafka/rdkafka.h>

#include <string>
#include <vector>

namespace etlantic::test {

struct topic_record {
  std::string key;  ///< `null` if there is none
  std::string value;
  std::string headers;  ///< `name=value ` each

  friend bool operator==(const topic_record&, const topic_record&) = default;
};

/// What another program sees of one partition, by librdkafka alone: up to its end, or `most`.
inline std::vector<topic_record> read_topic(const std::string& servers, const std::string& topic, int partition = 0) {
  char reason[512];
  rd_kafka_conf_t* settings = rd_kafka_conf_new();
  for (const auto& [name, value] : {std::pair{"bootstrap.servers", servers.c_str()},
                                    {"enable.partition.eof", "true"},
                                    {"isolation.level", "read_committed"},
                                    {"enable.auto.commit", "false"}})
    REQUIRE(rd_kafka_conf_set(settings, name, value, reason, sizeof reason) == RD_KAFKA_CONF_OK);
  rd_kafka_t* handle = rd_kafka_new(RD_KAFKA_CONSUMER, settings, reason, sizeof reason);
  rd_kafka_topic_t* opened = rd_kafka_topic_new(handle, topic.c_str(), nullptr);
  REQUIRE(rd_kafka_consume_start(opened, partition, RD_KAFKA_OFFSET_BEGINNING) == 0);
  std::vector<topic_record> found;
  for (bool at_end = false; !at_end;) {
    rd_kafka_message_t* message = rd_kafka_consume(opened, partition, 15'000);
    if (message == nullptr) break;
    at_end = message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      topic_record& made = found.emplace_back();
      made.key = message->key == nullptr ? "null" : std::string(static_cast<char*>(message->key), message->key_len);
      made.value =
          message->payload == nullptr ? "null" : std::string(static_cast<char*>(message->payload), message->len);
      rd_kafka_headers_t* headers = nullptr;
      if (rd_kafka_message_headers(message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR) {
        const char* name = nullptr;
        const void* value = nullptr;
        std::size_t size = 0;
        for (std::size_t i = 0; rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
             ++i)
          made.headers += std::string(name) + "=" + std::string(static_cast<const char*>(value), size) + " ";
      }
    }
    rd_kafka_message_destroy(message);
  }
  rd_kafka_consume_stop(opened, partition);
  rd_kafka_topic_destroy(opened);
  rd_kafka_destroy(handle);
  return found;
}

}  // namespace etlantic::test
