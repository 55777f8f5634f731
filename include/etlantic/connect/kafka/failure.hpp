#pragma once
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace etlantic::kafka {

// PMSTREAM410 a record that the cluster does not take, 411 another process publishes as this load, 413 an error of the
// cluster that none of the others is, 414 a batch that was not prepared, 425 the cluster is not reached, 426 it does
// not let us, 427 there is no such topic, 428 records are lost, 429 an option.

inline failure wrong_option(std::string message, std::string help) {
  return {failure_class::configuration, "PMSTREAM429", std::move(message), "connector kafka", std::move(help)};
}

inline failure unreachable(std::string message, std::string where) {
  return {failure_class::connectivity, "PMSTREAM425", std::move(message), std::move(where),
          "Look whether the brokers run and whether bootstrap_servers names them. The query goes on where it was; with "
          "`retry` in the profile it tries again by itself."};
}

inline failure missing_topic(const std::string& topic, std::string where) {
  return {failure_class::configuration, "PMSTREAM427", "the cluster has no topic `" + topic + "`", std::move(where),
          "Create the topic, or correct its name in the profile. With access rules a topic that may not be described "
          "looks as if it were not there."};
}

/// A broker that has just come back says so too, so that trying again may help.
inline failure vanished_topic(const std::string& topic, std::string where) {
  return {failure_class::connectivity, "PMSTREAM427",
          "the cluster says that it has no topic `" + topic + "`, which it had before", std::move(where),
          "It was deleted, or the brokers have just come back. With `retry` in the profile the query tries again by "
          "itself."};
}

inline failure lost_records(std::string message, std::string where) {
  return {failure_class::source_data, "PMSTREAM428", std::move(message), std::move(where),
          "Records that the query has not read are gone. `on_data_loss: continue` in the profile goes on with what is "
          "there and says what is missing; or start a new checkpoint."};
}

}  // namespace etlantic::kafka
