#pragma once

/// The bodies of the connectors; see implementation.hpp.

#include <etlantic/connect/json/decoder.inl.hpp>
#include <etlantic/connect/json/validate.inl.hpp>
#include <etlantic/connect/file/rejected_reader.inl.hpp>
#include <etlantic/connect/file/sink.inl.hpp>
#include <etlantic/connect/file/source.inl.hpp>
#include <etlantic/connect/file/source_listing.inl.hpp>
#include <etlantic/connect/console/sink.inl.hpp>

#if defined(ETLANTIC_WITH_SQLITE)
#include <etlantic/connect/sqlite/rejected_reader.inl.hpp>
#include <etlantic/connect/sqlite/row_writer.inl.hpp>
#include <etlantic/connect/sqlite/sink.inl.hpp>
#include <etlantic/connect/sqlite/table.inl.hpp>
#endif

#include <etlantic/connect/available.inl.hpp>
