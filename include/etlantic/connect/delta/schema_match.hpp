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

/// The rows of a block as rows of a schema that has no differences from its own; columns that the block lacks are null.
/// In either direction. A value that the other type does not have (an enumerator) is a failure.
result<block> converted(const block& rows, const schema& to);

/// Whether the columns of a block can stand for those of a schema that has no differences from its own.
bool has_layout_of(const block& rows, const schema& of);

}  // namespace etlantic::delta
