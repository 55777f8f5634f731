#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/connect/kafka/start_option.hpp>
#include <etlantic/connect/kafka/topic_pattern.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/source.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

namespace kafka {

struct source_settings {
  client_settings reaching;
  std::vector<std::string> topics;
  topic_pattern pattern{};          ///< instead of topics: all that fit, also those that are created later
  std::optional<partition> only{};  ///< of the topics, where several processes share them
  start_option start;
  bool continues_after_loss = false;
  int discover_interval_ms = 10'000;                 ///< how often new partitions are looked for; 0: before each batch
  std::size_t chunk_bytes = std::size_t{256} << 10;  ///< what is decoded in one go; tests make it small
  std::size_t ahead_bytes = std::size_t{48} << 20;   ///< of all partitions together, taken out of the client early
};

/// Where a source gets its client from: tests give one of their own.
using client_factory = std::function<result<std::shared_ptr<client>>(const client_settings&)>;

/// Topics as a source of JSON documents. A split is a partition, `topic/number`; its unit is the offset. What a batch
/// reads is planned first, up to the last stable offset, and a replay reads the same; the group of the cluster is told
/// how far the query is, and never asked.
std::shared_ptr<source> make_source(source_settings settings, client_factory clients = make_client);

}  // namespace kafka

/// The options of connector `kafka` as a source.
inline constexpr std::array<connector_option, 10> kafka_source_options{{
    {"bootstrap_servers", true, "brokers to begin with: host:9092,other:9092"},
    {"topics", false, "a topic, or a list of them"},
    {"topic_pattern", false, "instead of topics: a regular expression that whole names fit; new topics are found"},
    {"start", false, "earliest (default), latest, a time, or offsets: orders/0=5; the checkpoint always wins"},
    {"on_data_loss", false, "fail (default), or continue: lost records are told and counted"},
    {"group_id", false, "a group whose offsets show how far the query is; none unless given"},
    {"timeout_ms", false, "how long the cluster may be silent; default 30000"},
    {"embedded_folder", false, "with bootstrap_servers: embedded: topics begin with the lines of FOLDER/TOPIC.ndjson"},
    {"discover_interval_ms", false, "how often new partitions are looked for; default 10000"},
    {"librdkafka", false, "settings of librdkafka by their names there, such as security.protocol"},
}};

/// The same from the options of a profile.
result<std::shared_ptr<source>> make_kafka_source(const asset_binding& binding);

namespace kafka {

result<source_settings> source_settings_of(const asset_binding& binding);

}  // namespace kafka

}  // namespace etlantic
