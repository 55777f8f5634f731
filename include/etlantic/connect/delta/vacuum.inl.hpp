#pragma once
#include <etlantic/connect/delta/data_files.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/connect/delta/time_interval.hpp>
#include <etlantic/connect/delta/unique_id.hpp>
#include <etlantic/connect/delta/vacuum.hpp>

#include <set>
#include <string>
#include <utility>

namespace etlantic::delta {

namespace detail {

inline result<std::int64_t> retention_of(const vacuum_request& request, const table_metadata& table,
                                         const std::string& where) {
  const char* const property = "delta.deletedFileRetentionDuration";
  const auto of_table = interval_property(table, property, week);
  if (!of_table && !request.retention)
    return failure{failure_class::configuration, "PMSTREAM430",
                   std::string(property) + " of the table is no time: `" + table.configuration.at(property) + "`",
                   where, "name the retention, or correct the property"};
  const std::int64_t least = of_table.value_or(week), wanted = request.retention.value_or(least);
  if (wanted < least && !request.shorter_is_fine)
    return failure{failure_class::configuration, "PMSTREAM430",
                   "the retention is shorter than " +
                       (table.configuration.contains(property) ? "the table's " + table.configuration.at(property)
                                                               : std::string("7 days")) +
                       ": queries that read an older version, and writers that have not committed yet, would lose "
                       "files",
                   where, "name a longer one; if nobody reads or writes the table now, allow a shorter one"};
  return wanted;
}

/// Places of the files that some version since then has.
inline result<std::set<std::string>> files_since(const folder_store& store, const table_state& table,
                                                 std::int64_t since) {
  std::set<std::string> kept;
  const auto keep = [&](const remove_file& each) {
    if (!each.removed_at || *each.removed_at > since) kept.insert(place_of(store, each.path));
  };
  for (const auto& [key, each] : table.files) kept.insert(place_of(store, each.path));
  for (const auto& [key, each] : table.removed) keep(each);
  // Checkpoints forget removed files after a time of their own, which may be shorter; the commits still tell.
  auto names = store.list("_delta_log");
  if (!names) return names.error();
  const log_listing log(*names);
  for (const std::int64_t version : log.commits()) {
    auto commit = load_commit(store, version);
    if (!commit) return commit.error();
    for (const remove_file& each : commit->removed) keep(each);
  }
  return kept;
}

/// `.00000000000000000012.json.4711.140733.tmp`: what a put or a replacement leaves when the process is killed.
inline bool is_left_half_done(const std::string& name) {
  if (!name.starts_with('.') || !name.ends_with(".tmp")) return false;
  if (name.starts_with("._last_checkpoint.")) return true;
  return name.size() > 25 && name[21] == '.' && name.find_first_not_of("0123456789", 1) == 21;
}

}  // namespace detail

[[gnu::used]] inline result<vacuum_outcome> vacuum(const folder_store& store, const vacuum_request& request) {
  // Before the log: a file whose commit comes in between is in the log then.
  auto files = find_data_files(store);
  if (!files) return files.error();
  auto table = load_table(store);
  if (!table) return table.error();
  if (!table->exists()) return no_table(store.describe());
  if (auto writable = check_writable(*table, write_intent::move_rows, store.describe()); !writable)
    return writable.error();
  auto retention = detail::retention_of(request, *table->metadata, store.describe());
  if (!retention) return retention.error();
  const std::int64_t since = milliseconds_now() - *retention;
  auto kept = detail::files_since(store, *table, since);
  if (!kept) return kept.error();
  auto log = store.entries("_delta_log");
  if (!log) return log.error();
  for (stored_entry& each : *log)
    if (!each.is_folder && detail::is_left_half_done(each.name)) {
      each.name = "_delta_log/" + each.name;
      files->push_back(std::move(each));
    }
  vacuum_outcome outcome;
  outcome.retention = *retention;
  for (stored_entry& each : *files) {
    if (each.modified > since || kept->contains(each.name)) continue;
    if (!request.only_tell)
      if (auto done = store.remove(each.name); !done) return done.error();
    outcome.bytes += each.bytes;
    outcome.files.push_back(std::move(each));
  }
  return outcome;
}

}  // namespace etlantic::delta
