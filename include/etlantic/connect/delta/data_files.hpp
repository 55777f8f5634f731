#pragma once
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/connect/delta/partition.hpp>

#include <filesystem>
#include <string>
#include <vector>

// What lies in the folder of a table, against what its log names.

namespace etlantic::delta {

/// The place of a data file that a log names: relative to the table if it lies within, whatever way the log says it.
inline std::string place_of(const folder_store& store, const std::string& path_in_log) {
  std::string path = decoded_path(path_in_log);
  if (path.starts_with("file:")) path.erase(0, path.starts_with("file://") ? 7 : 5);
  if (path.starts_with('/')) {
    std::error_code ignored;
    const auto table = std::filesystem::weakly_canonical(store.describe(), ignored);
    const auto relative = std::filesystem::path(path).lexically_normal().lexically_relative(table);
    if (!relative.empty() && *relative.begin() != "..") return relative.string();
  }
  return std::filesystem::path(path).lexically_normal().string();
}

/// All Parquet files below a folder of a table, with their places in the table. Folders and files whose names begin
/// with `.` or `_` belong to others, and links are not followed.
inline result<std::vector<stored_entry>> find_data_files(const folder_store& store, const std::string& folder = "") {
  auto entries = store.entries(folder);
  if (!entries) return entries.error();
  std::vector<stored_entry> found;
  for (stored_entry& each : *entries) {
    if (each.name.starts_with('.') || each.name.starts_with('_')) continue;
    if (!folder.empty()) each.name = folder + '/' + each.name;
    if (!each.is_folder) {
      if (each.name.ends_with(".parquet")) found.push_back(std::move(each));
      continue;
    }
    auto below = find_data_files(store, each.name);
    if (!below) return below.error();
    found.insert(found.end(), below->begin(), below->end());
  }
  return found;
}

}  // namespace etlantic::delta
