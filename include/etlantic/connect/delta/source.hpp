#pragma once
#include <etlantic/runtime/connector.hpp>

#include <memory>

namespace etlantic {

/// Options of the delta source.
inline constexpr connector_option delta_source_options[] = {
    {"path", true, "folder of the table"},
    {"version_as_of", false, "read the table as it was at this version, and nothing behind it"},
    {"timestamp_as_of", false, "the same for the version of this time, as 2026-01-31T08:00:00Z or 2026-01-31"},
    {"starting_version", false,
     "read what was added by this version and those behind it, without what was there before"},
    {"starting_timestamp", false, "the same from the first version of this time or behind it on"},
    {"skip_changes", false,
     "true: pass over versions that replace or remove rows; false (default): they are a failure"},
    {"read_change_feed", false,
     "true: read what happened to the rows, with _change_type, _commit_version and _commit_timestamp"},
    {"prune_files", false,
     "true (default): do not read files of which no row can pass the filter behind the extract; false: read all"},
};

/// A Delta Lake table as a source: first the rows of its newest version, then those that later versions add. A split is
/// a data file, named by the version that it was read of and its path; its unit is the row.
///
/// A contract has the columns that it names; further ones are not looked at. Rows with a null that the contract does
/// not allow, and with texts that are no enumerator, are invalid rows. Versions that only move rows into other files
/// (compaction) are passed over.
result<std::shared_ptr<source>> make_delta_source(const asset_binding& binding);

}  // namespace etlantic
