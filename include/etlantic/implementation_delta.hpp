#pragma once

/// The bodies of Delta tables, with Arrow's headers; see implementation.hpp.

#if defined(ETLANTIC_WITH_DELTA)
#include <etlantic/column/copy.inl.hpp>
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/connect/delta/action_reader.inl.hpp>
#include <etlantic/connect/delta/action_writer.inl.hpp>
#include <etlantic/connect/delta/change_feed.inl.hpp>
#include <etlantic/connect/delta/check_constraint.inl.hpp>
#include <etlantic/connect/delta/checkpoint.inl.hpp>
#include <etlantic/connect/delta/commit_times.inl.hpp>
#include <etlantic/connect/delta/deletion_vector.inl.hpp>
#include <etlantic/connect/delta/features.inl.hpp>
#include <etlantic/connect/delta/file_filter.inl.hpp>
#include <etlantic/connect/delta/file_pruning.inl.hpp>
#include <etlantic/connect/delta/file_reader.inl.hpp>
#include <etlantic/connect/delta/file_writer.inl.hpp>
#include <etlantic/connect/delta/key_index.inl.hpp>
#include <etlantic/connect/delta/log_cleanup.inl.hpp>
#include <etlantic/connect/delta/log_store.inl.hpp>
#include <etlantic/connect/delta/log_upkeep.inl.hpp>
#include <etlantic/connect/delta/merge.inl.hpp>
#include <etlantic/connect/delta/optimize.inl.hpp>
#include <etlantic/connect/delta/partition.inl.hpp>
#include <etlantic/connect/delta/roaring.inl.hpp>
#include <etlantic/connect/delta/schema_evolution.inl.hpp>
#include <etlantic/connect/delta/schema_match.inl.hpp>
#include <etlantic/connect/delta/sink.inl.hpp>
#include <etlantic/connect/delta/source.inl.hpp>
#include <etlantic/connect/delta/source_files.inl.hpp>
#include <etlantic/connect/delta/source_settings.inl.hpp>
#include <etlantic/connect/delta/state_comparison.inl.hpp>
#include <etlantic/connect/delta/statistics.inl.hpp>
#include <etlantic/connect/delta/statistics_check.inl.hpp>
#include <etlantic/connect/delta/table_schema.inl.hpp>
#include <etlantic/connect/delta/table_verification.inl.hpp>
#include <etlantic/connect/delta/vacuum.inl.hpp>
#include <etlantic/connect/parquet/parquet_reading.inl.hpp>
#include <etlantic/connect/parquet/parquet_writing.inl.hpp>
#endif
