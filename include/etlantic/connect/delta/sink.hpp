#pragma once
#include <etlantic/runtime/connector.hpp>

#include <memory>

namespace etlantic {

/// Options of the delta sink.
inline constexpr connector_option delta_sink_options[] = {
    {"path", true, "folder of the table; it is created if it is not there"},
    {"mode", false, "auto (default): merge if the contract has a primary key; merge; append: every row is added"},
    {"partition_by", false, "columns of a new table to partition it by, with commas between them"},
    {"checkpoint_interval", false, "commits between checkpoints of the log; default 10, or what the table says"},
    {"rows_per_file", false, "rows of a data file at most; default 100000 if rows are merged, else 1000000"},
    {"compression", false, "zstd (default), snappy, none"},
    {"schema_evolution", false,
     "what may be changed of a table that lacks columns: none (default); add_nullable_fields; widen: also byte and "
     "short columns"},
    {"delete_when", false, "a bool field: rows where it is true remove the row with their key, and are not written"},
    {"check_constraints", false,
     "true: a new table has the contract's constraints, which other engines enforce; false (default)"},
};

/// A Delta Lake table, written exactly once: each batch is one commit of the table's log, which carries the batch's id
/// as the transaction of this query and load. A batch that the log has is skipped.
///
/// A contract with a primary key is merged into the table by that key, so that the table holds the newest row of each;
/// without one, rows are added. Complete mode replaces all rows. Columns have the names of the data and nest as the
/// contract does. A table that is there must have these columns with these types or wider ones, and may have further
/// columns that are nullable: merging leaves them alone.
result<std::shared_ptr<sink>> make_delta_sink(const asset_binding& binding);

}  // namespace etlantic
