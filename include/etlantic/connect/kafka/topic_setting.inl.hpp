#pragma once
#include <etlantic/connect/kafka/handle.inl.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic::kafka::detail {

/// The value in a topic's configuration; none if the cluster does not tell it: the broker in the process has no such
/// request, and a user may have no right to it.
inline result<std::optional<std::string>> topic_setting(connection& to, const std::string& topic,
                                                        std::string_view name) {
  // The broker in the process leaves the request without an answer.
  if (char* const cluster = rd_kafka_clusterid(to.handle(), std::max(1000, to.timeout_ms()))) {
    const bool is_mock = std::string_view(cluster).starts_with("mockCluster");
    rd_kafka_mem_free(to.handle(), cluster);
    if (is_mock) return std::optional<std::string>();
  }
  rd_kafka_ConfigResource_t* wanted = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str());
  rd_kafka_queue_t* answers = rd_kafka_queue_new(to.handle());
  rd_kafka_AdminOptions_t* options = rd_kafka_AdminOptions_new(to.handle(), RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS);
  const int patience = std::max(1000, to.timeout_ms());
  char reason[512];
  rd_kafka_AdminOptions_set_request_timeout(options, patience, reason, sizeof reason);
  rd_kafka_DescribeConfigs(to.handle(), &wanted, 1, options, answers);
  rd_kafka_event_t* answer = rd_kafka_queue_poll(answers, patience + 500);
  rd_kafka_resp_err_t error = answer == nullptr ? RD_KAFKA_RESP_ERR__TIMED_OUT : rd_kafka_event_error(answer);
  std::optional<std::string> found;
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    std::size_t count = 0;
    const rd_kafka_ConfigResource_t** topics =
        rd_kafka_DescribeConfigs_result_resources(rd_kafka_event_DescribeConfigs_result(answer), &count);
    if (count == 1) error = rd_kafka_ConfigResource_error(topics[0]);
    const rd_kafka_ConfigEntry_t** entries =
        count == 1 ? rd_kafka_ConfigResource_configs(topics[0], &count) : (count = 0, nullptr);
    for (std::size_t i = 0; i < count; ++i)
      if (rd_kafka_ConfigEntry_name(entries[i]) == name)
        if (const char* value = rd_kafka_ConfigEntry_value(entries[i])) found = value;
  }
  if (answer != nullptr) rd_kafka_event_destroy(answer);
  rd_kafka_AdminOptions_destroy(options);
  rd_kafka_queue_destroy(answers);
  rd_kafka_ConfigResource_destroy(wanted);
  const bool is_not_told =
      error == RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE || error == RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION ||
      error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED || error == RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED;
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR || is_not_told) return found;
  return to.failure_of(error, "look at the settings of", topic);
}

}  // namespace etlantic::kafka::detail
