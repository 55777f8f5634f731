#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/core/result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace etlantic::delta {

/// The rows of a data file, with the partition columns. A file with a deletion vector gives those that are not deleted.
/// `bytes` gets those of the file.
result<std::vector<block>> read_file_rows(const folder_store& store, const table_layout& layout, const add_file& file,
                                          std::string* bytes = nullptr);

/// Those rows that its deletion vector deletes and another one does not.
result<std::vector<block>> read_deleted_rows(const folder_store& store, const table_layout& layout,
                                             const add_file& file, const std::optional<deletion_vector>& except);

}  // namespace etlantic::delta
