#pragma once
#include <etlantic/connect/console/sink.hpp>
#include <etlantic/connect/file/rejected_reader.hpp>
#include <etlantic/connect/file/sink.hpp>
#include <etlantic/connect/file/source.hpp>
#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#if defined(ETLANTIC_WITH_DELTA)
#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/connect/delta/source.hpp>
#endif
#if defined(ETLANTIC_WITH_SQLITE)
#include <etlantic/connect/sqlite/rejected_reader.hpp>
#include <etlantic/connect/sqlite/sink.hpp>
#endif
#if defined(ETLANTIC_WITH_KAFKA)
#include <etlantic/connect/kafka/group.hpp>
#include <etlantic/connect/kafka/rejected_reader.hpp>
#include <etlantic/connect/kafka/settings.hpp>
#include <etlantic/connect/kafka/sink.hpp>
#include <etlantic/connect/kafka/source.hpp>
#endif

// What this application was built with: the one place where connectors are listed.

namespace etlantic {

[[gnu::used]] inline std::span<const connector> available_connectors() {
  static constexpr connector connectors[] = {
      {"file", file_source_options, file_sink_options, make_file_source, make_file_sink, read_rejected_files},
      {"console",
       {},
       console_sink_options,
       nullptr,
       static_cast<result<std::shared_ptr<sink>> (*)(const asset_binding&)>(make_console_sink)},
#if defined(ETLANTIC_WITH_SQLITE)
      {"sqlite", {}, sqlite_sink_options, nullptr, make_sqlite_sink, read_rejected_table, true},
#endif
#if defined(ETLANTIC_WITH_DELTA)
      {"delta", delta_source_options, delta_sink_options, make_delta_source, make_delta_sink, nullptr, true},
#endif
#if defined(ETLANTIC_WITH_KAFKA)
      {"kafka", kafka_source_options, kafka_sink_options, make_kafka_source, make_kafka_sink, read_rejected_topic,
       false, kafka::problems_of_source, kafka::problems_of_sink, true, join_kafka_group},
#endif
  };
  return connectors;
}

[[gnu::used]] inline std::unique_ptr<row_decoder> make_row_decoder(const decoder_request& request) {
  return make_json_decoder(request);
}

}  // namespace etlantic
