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

/// What is merged into a table.
struct merge_input {
  std::span<const block> rows;
  std::span<const std::vector<bool>> deletes;  ///< of each block, rows whose key is to be gone; empty: none
  std::span<const std::size_t> key;            ///< columns of the table
  const std::vector<bool>& given;              ///< columns of the table that the rows have

  bool is_deleting(const row_place& place) const {
    return !deletes.empty() && deletes[static_cast<std::size_t>(place.rows - rows.data())][place.row];
  }
};

struct merged_files {
  std::vector<add_file> added;
  std::vector<add_file> replaced;
};

/// Of rows with one key the last one counts. Copy-on-write: reads the files of a table that may have a key of the rows,
/// and writes those that do again. Where a full file has each key once and none is deleted, the new rows stand in the
/// places of the old ones; other files lose the rows with these keys, and the new ones come behind, unless they delete.
/// Columns that are not given keep the values of the row that is replaced. Rows of those files that lie outside the
/// keys of the batch, as those of older windows do, go into files of their own, so that the next batch does not write
/// them again. `written` gets the names of all files made, also of those of a merge that fails.
result<merged_files> merge_rows(const folder_store& store, const table_layout& layout, const table_state& table,
                                const merge_input& input, const file_settings& settings,
                                std::vector<std::string>& written);

}  // namespace etlantic::delta
