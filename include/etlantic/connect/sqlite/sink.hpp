#pragma once
#include <etlantic/runtime/connector.hpp>

#include <memory>

namespace etlantic {

/// Options of the sqlite sink.
inline constexpr connector_option sqlite_sink_options[] = {
    {"path", true, "database file; it and its directory are created if they are not there"},
    {"table", true, "table that gets the rows; the name of the asset unless it is given"},
    {"mode", false, "auto (default): merge if the contract has a primary key; merge; append: every row is added"},
    {"busy_timeout_ms", false, "how long to wait for another program that writes to the file; default 5000"},
    {"cache_mib", false,
     "how much of the database is kept in memory, which grows up to that; of several loads into one file the "
     "greatest counts; default 64"},
    {"max_pages", false, "largest size of the database in pages of 4096 bytes; default: as large as the disk allows"},
};

/// A table of a SQLite database, written exactly once: the rows of a batch and a note of its id in the table
/// `etlantic_ledger` are one transaction. All sinks of a query that write to the same file share that transaction.
///
/// A contract with a primary key is merged into the table by that key, so that the table holds the newest row of each;
/// without one, rows are added. Complete mode replaces all rows. Columns have the names of the data; structs become
/// `parent_child` columns and lists JSON text. Whole numbers, bools and durations (microseconds) are INTEGER, floating
/// point is REAL (NaN, which SQLite does not know, is the text `NaN`; -0.0 becomes 0.0), binary is BLOB, all else TEXT.
///
/// A table that is there must have these columns with these types, and the same primary key. It may have further
/// columns that are nullable or have a default: merging leaves them alone, complete mode resets them.
result<std::shared_ptr<sink>> make_sqlite_sink(const asset_binding& binding);

}  // namespace etlantic
