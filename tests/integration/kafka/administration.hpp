#pragma once
#include <librdkafka/rdkafka.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

// What tests ask a cluster for besides records, by librdkafka alone: each is a request and its answer.

namespace administration {

[[noreturn]] inline void fail(const std::string& what, const std::string& why) {
  std::fprintf(stderr, "records: %s: %s\n", what.c_str(), why.c_str());
  std::exit(1);
}

/// Waits for the answer, and fails with what it says if it is an error.
class answer {
 public:
  answer(rd_kafka_t* by, std::string what) : by_(by), what_(std::move(what)), queue_(rd_kafka_queue_new(by)) {}
  answer(const answer&) = delete;
  answer& operator=(const answer&) = delete;
  ~answer() {
    if (event_ != nullptr) rd_kafka_event_destroy(event_);
    rd_kafka_queue_destroy(queue_);
    rd_kafka_destroy(by_);
  }

  rd_kafka_t* by() const { return by_; }
  rd_kafka_queue_t* queue() const { return queue_; }

  rd_kafka_event_t* wait() {
    event_ = rd_kafka_queue_poll(queue_, 30'000);
    if (event_ == nullptr) fail(what_, "no answer");
    if (rd_kafka_event_error(event_) != RD_KAFKA_RESP_ERR_NO_ERROR) fail(what_, rd_kafka_event_error_string(event_));
    return event_;
  }

  void check(const rd_kafka_topic_result_t** topics, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i)
      if (rd_kafka_topic_result_error(topics[i]) != RD_KAFKA_RESP_ERR_NO_ERROR)
        fail(what_, rd_kafka_err2str(rd_kafka_topic_result_error(topics[i])));
  }

 private:
  rd_kafka_t* by_;
  std::string what_;
  rd_kafka_queue_t* queue_;
  rd_kafka_event_t* event_ = nullptr;
};

/// Settings are words `name=value`.
inline int create(rd_kafka_t* by, const char* topic, int partitions, const std::vector<std::string>& settings) {
  answer told(by, std::string("create ") + topic);
  char reason[512];
  rd_kafka_NewTopic_t* wanted = rd_kafka_NewTopic_new(topic, partitions, 1, reason, sizeof reason);
  if (wanted == nullptr) fail(topic, reason);
  for (const std::string& each : settings)
    rd_kafka_NewTopic_set_config(wanted, each.substr(0, each.find('=')).c_str(),
                                 each.substr(each.find('=') + 1).c_str());
  rd_kafka_CreateTopics(told.by(), &wanted, 1, nullptr, told.queue());
  std::size_t count = 0;
  const auto* made = rd_kafka_event_CreateTopics_result(told.wait());
  told.check(rd_kafka_CreateTopics_result_topics(made, &count), count);
  rd_kafka_NewTopic_destroy(wanted);
  return 0;
}

inline int remove(rd_kafka_t* by, const std::vector<std::string>& topics) {
  answer told(by, "remove topics");
  std::vector<rd_kafka_DeleteTopic_t*> wanted;
  for (const std::string& each : topics) wanted.push_back(rd_kafka_DeleteTopic_new(each.c_str()));
  rd_kafka_DeleteTopics(told.by(), wanted.data(), wanted.size(), nullptr, told.queue());
  std::size_t count = 0;
  const auto* removed = rd_kafka_event_DeleteTopics_result(told.wait());
  told.check(rd_kafka_DeleteTopics_result_topics(removed, &count), count);
  for (rd_kafka_DeleteTopic_t* each : wanted) rd_kafka_DeleteTopic_destroy(each);
  return 0;
}

inline int grow(rd_kafka_t* by, const char* topic, std::size_t partitions) {
  answer told(by, std::string("grow ") + topic);
  char reason[512];
  rd_kafka_NewPartitions_t* wanted = rd_kafka_NewPartitions_new(topic, partitions, reason, sizeof reason);
  if (wanted == nullptr) fail(topic, reason);
  rd_kafka_CreatePartitions(told.by(), &wanted, 1, nullptr, told.queue());
  std::size_t count = 0;
  const auto* grown = rd_kafka_event_CreatePartitions_result(told.wait());
  told.check(rd_kafka_CreatePartitions_result_topics(grown, &count), count);
  rd_kafka_NewPartitions_destroy(wanted);
  return 0;
}

/// All other settings of the topic become the broker's.
inline int set(rd_kafka_t* by, const char* topic, const std::string& setting) {
  answer told(by, std::string("set ") + topic);
  rd_kafka_ConfigResource_t* wanted = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic);
  rd_kafka_ConfigResource_set_config(wanted, setting.substr(0, setting.find('=')).c_str(),
                                     setting.substr(setting.find('=') + 1).c_str());
  rd_kafka_AlterConfigs(told.by(), &wanted, 1, nullptr, told.queue());
  std::size_t count = 0;
  const auto* altered = rd_kafka_event_AlterConfigs_result(told.wait());
  const rd_kafka_ConfigResource_t** each = rd_kafka_AlterConfigs_result_resources(altered, &count);
  for (std::size_t i = 0; i < count; ++i)
    if (rd_kafka_ConfigResource_error(each[i]) != RD_KAFKA_RESP_ERR_NO_ERROR)
      fail(topic, rd_kafka_ConfigResource_error_string(each[i]));
  rd_kafka_ConfigResource_destroy(wanted);
  return 0;
}

/// Prints `topic partition offset` of all that a group has committed, as the broker's coordinator knows it.
inline int group(rd_kafka_t* by, const char* name) {
  answer told(by, std::string("group ") + name);
  rd_kafka_ListConsumerGroupOffsets_t* wanted = rd_kafka_ListConsumerGroupOffsets_new(name, nullptr);
  rd_kafka_ListConsumerGroupOffsets(told.by(), &wanted, 1, nullptr, told.queue());
  std::size_t count = 0;
  const auto* listed = rd_kafka_event_ListConsumerGroupOffsets_result(told.wait());
  const rd_kafka_group_result_t** groups = rd_kafka_ListConsumerGroupOffsets_result_groups(listed, &count);
  for (std::size_t i = 0; i < count; ++i) {
    if (rd_kafka_group_result_error(groups[i]) != nullptr)
      fail(name, rd_kafka_error_string(rd_kafka_group_result_error(groups[i])));
    const rd_kafka_topic_partition_list_t* offsets = rd_kafka_group_result_partitions(groups[i]);
    for (int n = 0; n < offsets->cnt; ++n)
      std::printf("%s %d %lld\n", offsets->elems[n].topic, static_cast<int>(offsets->elems[n].partition),
                  static_cast<long long>(offsets->elems[n].offset));
  }
  rd_kafka_ListConsumerGroupOffsets_destroy(wanted);
  return 0;
}

}  // namespace administration
