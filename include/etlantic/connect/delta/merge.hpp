#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/gather.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/table_state.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace etlantic::delta {

struct merged_files {
  std::vector<add_file> added;
  std::vector<add_file> replaced;
};

/// Of rows with one key the last one counts. Copy-on-write: reads the files of a table that may have a key of the rows,
/// and writes those that do again without these keys, with the rows behind. Columns that the rows lack (`given` is
/// false) keep the values of the row that is replaced. Rows of those files that lie outside the keys of the batch, as
/// those of older windows do, go into files of their own, so that the next batch does not write them again. `written`
/// gets the names of all files made, also of those of a merge that fails.
result<merged_files> merge_rows(const folder_store& store, const table_layout& layout, const table_state& table,
                                std::span<const block> rows, std::span<const std::size_t> key,
                                const std::vector<bool>& given, const file_settings& settings,
                                std::vector<std::string>& written);

}  // namespace etlantic::delta
