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
    rd_kafka_vu_t parts[7] = {};
    parts[0].vtype = RD_KAFKA_VTYPE_TOPIC;
    parts[0].u.cstr = topic.c_str();
    parts[1].vtype = RD_KAFKA_VTYPE_PARTITION;
    parts[1].u.i32 = each.partition.value_or(0);
    parts[2].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    parts[2].u.i = RD_KAFKA_MSG_F_COPY;
    parts[3].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
    parts[3].u.i64 = each.milliseconds.value_or(0);  // 0: the present time
    parts[4].vtype = RD_KAFKA_VTYPE_HEADERS;
    parts[4].u.headers = headers;
    std::size_t count = 5;
    for (const auto& [kind, bytes] :
         {std::pair(RD_KAFKA_VTYPE_VALUE, each.value), std::pair(RD_KAFKA_VTYPE_KEY, each.key)}) {
      if (!bytes) continue;
      parts[count].vtype = kind;
      parts[count].u.mem.ptr = const_cast<char*>(bytes->empty() ? "" : bytes->data());  // null would be no bytes at all
      parts[count++].u.mem.size = bytes->size();
    }
    REQUIRE(rd_kafka_produceva(to, parts, count) == nullptr);
  }
  REQUIRE(rd_kafka_flush(to, 30'000) == RD_KAFKA_RESP_ERR_NO_ERROR);
  rd_kafka_destroy(to);
}

}  // namespace etlantic::test
