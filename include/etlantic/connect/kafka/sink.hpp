#pragma once
#include <etlantic/runtime/connector.hpp>

#include <memory>

namespace etlantic {

/// Options of the Kafka sink.
inline constexpr connector_option kafka_sink_options[] = {
    {"bootstrap_servers", true, "brokers to begin with: host:9092,other:9092"},
    {"topic", true, "the topic that gets the rows; it is created if it is not there"},
    {"delivery", false, "exactly_once (default): a transaction for each batch; at_least_once: copies after a crash"},
    {"format", false,
     "json (default): rows as JSON; dead_letter: payloads of rejected rows as they came, with headers"},
    {"ledger_topic", false, "where transactions note which batches are published; default etlantic-ledger"},
    {"timeout_ms", false, "how long the cluster may be silent; default 30000"},
    {"librdkafka", false, "settings of librdkafka by their names there, such as security.protocol"},
};

/// A topic that gets each row as a record: its JSON as value; the primary key of the contract as key: plain text if it
/// is one field, a JSON object if it is several, none if there is none.
///
/// `exactly_once`: the rows of a batch and a note of its id in the ledger topic are one transaction, so that a consumer
/// that reads what is committed sees each batch once. `at_least_once`: every record carries query, load, batch and
/// index in its headers, by which a consumer can drop the copies that a replay makes. In both, records of one key keep
/// their order. Complete mode is refused, because a topic cannot be replaced.
///
/// `format: dead_letter`, for rejected rows: the value is the payload as it came; key and headers are those of the
/// record, and more headers say what is wrong with it, where it stood, and who rejected it.
result<std::shared_ptr<sink>> make_kafka_sink(const asset_binding& binding);

}  // namespace etlantic
