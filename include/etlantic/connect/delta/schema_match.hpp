#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/delta/table_schema.hpp>
#include <etlantic/core/result.hpp>

#include <string>
#include <vector>

namespace etlantic::delta {

/// What keeps rows of a contract from being written to a table, one sentence each; empty if nothing does.
std::vector<std::string> differences_for_writing(const schema& contract, const schema& table);

/// What keeps rows of a table from being read as rows of a contract.
std::vector<std::string> differences_for_reading(const schema& contract, const schema& table);

/// The rows of a contract as rows of a table that has no differences from it; columns that the block lacks are null. A
/// value that the other type does not have is a failure.
result<block> converted(const block& rows, const schema& to);

/// The rows of a table as rows of a contract. Columns go by the names that the table has now: what a column is called
/// in the files may be the name of another one.
result<block> read_as(const block& rows, const schema& contract);

/// Whether the columns of a block can stand for those of a schema that has no differences from its own.
bool has_layout_of(const block& rows, const schema& of);

}  // namespace etlantic::delta
