#pragma once
#include "support/catch.hpp"

#include <etlantic/connect/kafka/embedded_broker.hpp>

#include <librdkafka/rdkafka.h>

#include <string>
#include <vector>

namespace etlantic::test {

/// Writes records as another program would, by librdkafka alone, in their order.
inline void write_topic(const std::string& servers, const std::string& topic,
                        const std::vector<kafka::embedded_record>& records) {
  char reason[512];
  rd_kafka_conf_t* settings = rd_kafka_conf_new();
  for (const auto& [name, value] : {std::pair{"bootstrap.servers", servers.c_str()}, {"enable.idempotence", "true"}})
    REQUIRE(rd_kafka_conf_set(settings, name, value, reason, sizeof reason) == RD_KAFKA_CONF_OK);
  rd_kafka_t* to = rd_kafka_new(RD_KAFKA_PRODUCER, settings, reason, sizeof reason);
  for (const kafka::embedded_record& each : records) {
    rd_kafka_headers_t* headers = rd_kafka_headers_new(each.headers.size());
    for (const auto& [name, text] : each.headers)
      rd_kafka_header_add(headers, name.c_str(), -1, text ? text->c_str() : nullptr,
                          text ? static_cast<::ssize_t>(text->size()) : 0);
    // Null would be no key and no value.
    const auto bytes_of = [](const std::optional<std::string_view>& of) {
      return std::pair(of ? const_cast<char*>(of->empty() ? "" : of->data()) : nullptr, of ? of->size() : 0);
    };
    const auto [value, value_size] = bytes_of(each.value);
    const auto [key, key_size] = bytes_of(each.key);
    const auto error = rd_kafka_producev(
        to, RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_PARTITION(each.partition.value_or(0)),
        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_VALUE(value, value_size), RD_KAFKA_V_KEY(key, key_size),
        RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_TIMESTAMP(each.milliseconds.value_or(0)), RD_KAFKA_V_END);
    REQUIRE(error == RD_KAFKA_RESP_ERR_NO_ERROR);
  }
  REQUIRE(rd_kafka_flush(to, 30'000) == RD_KAFKA_RESP_ERR_NO_ERROR);
  rd_kafka_destroy(to);
}

}  // namespace etlantic::test
