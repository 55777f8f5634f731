#pragma once
#include <librdkafka/rdkafka.h>

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>

/// What programs need that work with librdkafka itself.
namespace bench {

inline rd_kafka_t* open_handle(rd_kafka_type_t type, const std::map<std::string, std::string>& settings) {
  char reason[512];
  rd_kafka_conf_t* made = rd_kafka_conf_new();
  for (const auto& [name, value] : settings)
    if (rd_kafka_conf_set(made, name.c_str(), value.c_str(), reason, sizeof reason) != RD_KAFKA_CONF_OK)
      throw std::runtime_error(reason);
  rd_kafka_t* opened = rd_kafka_new(type, made, reason, sizeof reason);
  if (opened == nullptr) throw std::runtime_error(reason);
  return opened;
}

inline void create_topic(rd_kafka_t* by, const std::string& topic, int partitions) {
  char reason[512];
  rd_kafka_NewTopic_t* wanted = rd_kafka_NewTopic_new(topic.c_str(), partitions, 1, reason, sizeof reason);
  rd_kafka_queue_t* answers = rd_kafka_queue_new(by);
  rd_kafka_CreateTopics(by, &wanted, 1, nullptr, answers);
  rd_kafka_event_t* answer = rd_kafka_queue_poll(answers, 30'000);
  bool failed = answer == nullptr || rd_kafka_event_error(answer) != RD_KAFKA_RESP_ERR_NO_ERROR;
  if (!failed) {
    std::size_t count = 0;
    const rd_kafka_topic_result_t** made =
        rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(answer), &count);
    for (std::size_t i = 0; i < count; ++i)
      failed = failed || rd_kafka_topic_result_error(made[i]) != RD_KAFKA_RESP_ERR_NO_ERROR;
  }
  if (answer != nullptr) rd_kafka_event_destroy(answer);
  rd_kafka_queue_destroy(answers);
  rd_kafka_NewTopic_destroy(wanted);
  if (failed) throw std::runtime_error("the topic cannot be created");
}

}  // namespace bench
