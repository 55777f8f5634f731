#pragma once
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/source_split.hpp>
#include <etlantic/connect/delta/table_state.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

/// Which rows of a file are meant.
enum class file_part : std::uint8_t {
  rows,          ///< those that are there
  changes,       ///< the same of a file of changes, which says of each what it is
  deleted_rows,  ///< those that its deletion vector deletes and the one before it does not
};

/// A file of which a source reads.
struct source_file {
  source_split split;
  add_file file;
  file_part part = file_part::rows;
  std::optional<deletion_vector> deleted_before{};
};

/// The files of a table, in an order that only its log decides.
inline std::vector<source_file> files_of_table(const table_state& table) {
  std::vector<source_file> found;
  for (const auto& [key, file] : table.files)
    found.push_back({{split_kind::table, table.version, static_cast<std::int64_t>(found.size()), file.path}, file});
  return found;
}

/// The files that a version added; those that it only rewrote have a place among them and are left out.
inline std::vector<source_file> files_added_by(std::int64_t version, const commit_content& commit) {
  std::vector<source_file> found;
  for (std::size_t i = 0; i < commit.added.size(); ++i)
    if (const add_file& file = commit.added[i]; file.changes_data)
      found.push_back({{split_kind::version, version, static_cast<std::int64_t>(i), file.path}, file});
  return found;
}

}  // namespace etlantic::delta
