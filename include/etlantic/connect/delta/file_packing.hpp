#pragma once
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/statistics.hpp>
#include <etlantic/connect/delta/table_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic::delta {

/// Groups of small files of one partition that together make one file of at most `bytes` and `rows`. The greatest come
/// first, each to the group that it fills best. What stays alone is no group.
inline std::vector<std::vector<add_file>> packed_files(const table_state& table, std::int64_t bytes,
                                                       std::int64_t rows) {
  struct group {
    std::vector<add_file> files;
    std::int64_t rows = 0;
  };
  std::map<partition_values, std::vector<const add_file*>> partitions;
  for (const auto& [key, file] : table.files)
    if (file.size < bytes) partitions[file.partition].push_back(&file);
  std::vector<std::vector<add_file>> made;
  for (auto& [values, files] : partitions) {
    std::sort(files.begin(), files.end(),
              [](const auto* a, const auto* b) { return a->size != b->size ? a->size > b->size : a->path < b->path; });
    std::multimap<std::int64_t, group> open;  // by the bytes that are left
    for (const add_file* each : files) {
      const std::int64_t count = rows_in_statistics(each->statistics).value_or(0);
      auto place = open.lower_bound(each->size);
      while (place != open.end() && place->second.rows + count > rows) ++place;
      const std::int64_t left = (place == open.end() ? bytes : place->first) - each->size;
      group filled;
      if (place != open.end()) filled = std::move(open.extract(place).mapped());
      filled.files.push_back(*each);
      filled.rows += count;
      open.emplace(left, std::move(filled));
    }
    for (auto& [left, each] : open) {
      if (each.files.size() < 2) continue;
      // Rows stay about in the order in which they came.
      std::sort(each.files.begin(), each.files.end(), [](const add_file& a, const add_file& b) {
        return a.modified != b.modified ? a.modified < b.modified : a.path < b.path;
      });
      made.push_back(std::move(each.files));
    }
  }
  return made;
}

}  // namespace etlantic::delta
