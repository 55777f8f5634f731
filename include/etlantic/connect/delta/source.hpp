#pragma once
#include <etlantic/runtime/connector.hpp>

#include <memory>

namespace etlantic {

/// Options of the delta source.
inline constexpr connector_option delta_source_options[] = {
    {"path", true, "folder of the table"},
    {"version", false, "read the table as it was at this version, and nothing behind it"},
    {"from_version", false, "read what was added by this version and those behind it, without what was there before"},
    {"skip_changes", false,
     "true: pass over versions that replace or remove rows; false (default): they are a failure"},
};

/// A Delta Lake table as a source: first the rows of its newest version, then those that later versions add. A split is
/// a data file, named by the version that it was read of and its path; its unit is the row.
///
/// A contract has the columns that it names; further ones are not looked at. Rows with a null that the contract does
/// not allow, and with texts that are no enumerator, are invalid rows. Versions that only move rows into other files
/// (compaction) are passed over.
result<std::shared_ptr<source>> make_delta_source(const asset_binding& binding);

}  // namespace etlantic
