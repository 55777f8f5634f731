#pragma once
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/source_file.hpp>
#include <etlantic/connect/delta/table_state.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

// The change data feed of a table: its rows with `_change_type` (insert, update_preimage, update_postimage, delete),
// `_commit_version` and `_commit_timestamp`.

namespace etlantic::delta {

/// A table with the columns of changes behind its own. Files of changes have `_change_type`; of other files it is the
/// same for all rows, as the rest is of all.
table_layout with_change_columns(const table_layout& of, bool has_types_in_files);

/// Refuses a version at which the table did not keep its changes.
result<void> check_feed(const table_state& table, const std::string& where);

/// What a version changed. Where it has files of changes these say all; else rows of added files are inserts, those of
/// removed files deletes, and where a file only got another deletion vector those between the two.
std::vector<source_file> files_changed_by(std::int64_t version, const commit_content& commit,
                                          std::int64_t milliseconds);

/// The rows of a table as inserts of its version.
std::vector<source_file> table_as_inserts(const table_state& table, std::int64_t milliseconds);

}  // namespace etlantic::delta
