#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/delta/file_writer.hpp>

#include <span>
#include <string>
#include <vector>

namespace etlantic::delta {

/// What statistics say that the rows of their file contradict, one sentence each: other numbers of rows or nulls, and
/// bounds that leave a value out. Bounds may be wider than the truth. What they do not say is not missed. Statistics
/// count rows that a deletion vector has deleted.
std::vector<std::string> wrong_statistics(const add_file& file, const table_layout& layout,
                                          std::span<const block> rows);

}  // namespace etlantic::delta
