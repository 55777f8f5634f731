#pragma once
#include <etlantic/connect/delta/log_cleanup.hpp>
#include <etlantic/connect/delta/log_names.hpp>
#include <etlantic/connect/delta/time_interval.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace etlantic::delta {

namespace detail {

/// The newest version whose commit is not younger than `oldest_wanted`. Copies of a folder and clocks that went back
/// give times that fall; a version is never older than the one before it.
inline std::int64_t newest_expired(const std::vector<stored_entry>& entries, std::int64_t oldest_wanted) {
  std::int64_t found = -1, time = 0;
  for (const stored_entry& each : entries) {
    const auto version = version_of_log_file(each.name);
    if (!version || !each.name.ends_with(".json") || each.name.size() != 25) continue;
    time = std::max(time + 1, each.modified);
    if (time > oldest_wanted) break;
    found = *version;
  }
  return found;
}

}  // namespace detail

[[gnu::used]] inline result<std::size_t> clean_log(const folder_store& store, const table_metadata& table,
                                                   std::int64_t now) {
  const auto enabled = table.configuration.find("delta.enableExpiredLogCleanup");
  if (enabled != table.configuration.end() && enabled->second == "false") return std::size_t{0};
  const auto retention = interval_property(table, "delta.logRetentionDuration", 30 * day);
  if (!retention) return std::size_t{0};  // whoever wrote it means something, and it may be long
  auto entries = store.entries("_delta_log");
  if (!entries) return entries.error();
  std::vector<std::string> names;
  for (const stored_entry& each : *entries) names.push_back(each.name);
  const auto kept = log_listing(names).newest_checkpoint(detail::newest_expired(*entries, now - *retention));
  if (!kept || !log_listing(names).commits().contains(kept->version)) return std::size_t{0};
  std::size_t removed = 0;
  for (const stored_entry& each : *entries) {  // sorted: the oldest first, so that no hole is left in the middle
    const auto version = version_of_log_file(each.name);
    if (each.is_folder || !version || *version >= kept->version) continue;
    if (auto done = store.remove("_delta_log/" + each.name); !done) return done.error();
    ++removed;
  }
  return removed;
}

}  // namespace etlantic::delta
