#pragma once

/// The bodies of the connectors; see implementation.hpp.

#include <etlantic/connect/console/sink.inl.hpp>
#include <etlantic/connect/file/rejected_reader.inl.hpp>
#include <etlantic/connect/file/sink.inl.hpp>
#include <etlantic/connect/file/source.inl.hpp>
#include <etlantic/connect/file/source_listing.inl.hpp>
#include <etlantic/connect/json/decoder.inl.hpp>
#include <etlantic/connect/json/validate.inl.hpp>

#if defined(ETLANTIC_WITH_SQLITE)
#include <etlantic/connect/sqlite/rejected_reader.inl.hpp>
#include <etlantic/connect/sqlite/row_writer.inl.hpp>
#include <etlantic/connect/sqlite/sink.inl.hpp>
#include <etlantic/connect/sqlite/table.inl.hpp>
#endif

#if defined(ETLANTIC_WITH_KAFKA)
#include <etlantic/connect/kafka/client.inl.hpp>
#include <etlantic/connect/kafka/embedded_broker.inl.hpp>
#include <etlantic/connect/kafka/embedded_records.inl.hpp>
#include <etlantic/connect/kafka/group.inl.hpp>
#include <etlantic/connect/kafka/handle.inl.hpp>
#include <etlantic/connect/kafka/producer.inl.hpp>
#include <etlantic/connect/kafka/rejected_reader.inl.hpp>
#include <etlantic/connect/kafka/settings.inl.hpp>
#include <etlantic/connect/kafka/sink.inl.hpp>
#include <etlantic/connect/kafka/source.inl.hpp>
#include <etlantic/connect/kafka/start_option.inl.hpp>
#endif

#include <etlantic/connect/available.inl.hpp>
