#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_listing.hpp>
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/checkpoint_report.hpp>
#include <etlantic/runtime/checkpoint_rewind.hpp>
#include <etlantic/runtime/durable_file.inl.hpp>
#include <etlantic/runtime/file_calls.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace etlantic {

namespace detail {

inline constexpr std::int64_t rewind_record_version = 1;

inline failure cannot_rewind(const std::string& directory, const std::string& why, std::string help) {
  return {failure_class::checkpoint, "PMSTREAM484", "checkpoint '" + directory + "' cannot be rewound: " + why,
          directory, std::move(help)};
}

inline result<void> sync_after_removal(const std::string& directory) { return judge(sync_directory(directory)); }

/// Gives every record in a log a file of its own, so that it can be removed by itself, and removes the logs. What is
/// interrupted leaves records twice, and is done once more.
inline result<void> take_out_of_logs(const checkpoint_layout& layout, std::int64_t oldest_kept) {
  constexpr std::size_t most_at_once = 64;  // files that are open
  const result<checkpoint_listing> listing = list_checkpoint(layout);
  if (!listing) return listing.error();
  if (listing->logs.empty()) return {};
  std::vector<named_contents> files;
  for (const auto& [batch, record] : listing->logged_plans)
    if (batch >= oldest_kept) files.push_back({layout.plan(batch), record.bytes});
  for (const auto& [batch, record] : listing->logged_commits)
    if (batch >= oldest_kept) files.push_back({layout.commit(batch), record.bytes});
  for (std::span<const named_contents> rest = files; !rest.empty();) {
    const std::size_t count = std::min(rest.size(), most_at_once);
    if (result<void> written = write_in_order_durably(rest.first(count)); !written) return written;
    rest = rest.subspan(count);
  }
  for (const auto& [number, log] : listing->logs)
    if (result<void> removed = remove_file(layout.log(number)); !removed) return removed;
  return sync_after_removal(layout.batches());
}

/// Newest first, so that what is left has no hole; and commits before snapshots, which they name.
inline result<void> remove_behind(const checkpoint_layout& layout, const rewind_record& rewind) {
  for (std::int64_t batch = rewind.from; batch > rewind.to; --batch)
    if (result<void> removed = remove_file(layout.commit(batch)); !removed) return removed;
  if (result<void> synced = sync_after_removal(layout.batches()); !synced) return synced;
  for (std::int64_t batch = rewind.from + 1; batch > rewind.to; --batch)
    if (result<void> removed = remove_file(layout.snapshot(batch)); !removed) return removed;
  return sync_after_removal(layout.states());
}

[[gnu::used]] inline result<rewind_record> plan_rewind(const checkpoint_report& found, std::int64_t to) {
  for (const checkpoint_finding& each : found.findings) {
    if (each.what.code == "PMSTREAM485") continue;  // an interrupted rewind, which is completed here
    failure why = each.what;
    why.help = "A checkpoint with mistakes is not changed; `checkpoint verify` lists them. " + why.help;
    return why;
  }
  if (found.rewind && !found.rewind->is_done) {
    if (to == found.rewind->to) return *found.rewind;
    return cannot_rewind(found.directory, "a rewind to batch " + std::to_string(found.rewind->to) + " was interrupted",
                         "Repeat that one.");
  }
  const std::int64_t newest = found.newest_commit();
  if (newest < 0)
    return cannot_rewind(found.directory, "no batch of it has been committed", "There is nothing to go back from.");
  if (to >= newest || to < found.oldest_kept)
    return cannot_rewind(
        found.directory,
        "batch " + std::to_string(to) + (to >= newest ? " is not before the newest one" : " is not kept any more"),
        "Batches " + std::to_string(found.oldest_kept) + " to " + std::to_string(newest - 1) +
            " can be chosen; `checkpoint inspect` lists them, and retained_batches in the profile says how many are "
            "kept.");
  rewind_record made{found.identity->query, to, newest, found.oldest_kept, false};
  if (found.rewind) made.from = std::max(made.from, found.rewind->from);
  return made;
}

}  // namespace detail

[[gnu::used]] inline std::string to_record(const rewind_record& rewind) {
  record_writer record("rewind", detail::rewind_record_version);
  record.line()
      .put("query", rewind.query)
      .put("to", rewind.to)
      .put("from", rewind.from)
      .put("oldest_kept", rewind.oldest_kept)
      .put("done", rewind.is_done ? 1 : 0);
  return std::move(record).close();
}

[[gnu::used]] inline result<rewind_record> read_rewind_record(std::string_view bytes, const std::string& path) {
  result<record_reader> opened = record_reader::open(bytes, "rewind", detail::rewind_record_version, path);
  if (!opened) return opened.error();
  record_reader& record = *opened;
  if (record.size() != bytes.size()) return damaged_file(path, record.size(), "more follows than belongs there");
  rewind_record rewind;
  rewind.query = record.line().text("query");
  rewind.to = record.integer("to");
  rewind.from = record.integer("from");
  rewind.oldest_kept = record.integer("oldest_kept");
  rewind.is_done = record.integer("done") != 0;
  if (result<void> whole = record.finish(); !whole) return whole.error();
  return rewind;
}

[[gnu::used]] inline result<rewind_record> rewind_checkpoint(const std::string& directory, std::int64_t to) {
  const result<checkpoint_lock> lock = checkpoint_lock::take(directory);
  if (!lock) return lock.error();
  const result<checkpoint_report> found = read_checkpoint(directory, checkpoint_reading::whole);
  if (!found) return found.error();
  result<rewind_record> rewind = detail::plan_rewind(*found, to);
  if (!rewind) return rewind;
  const checkpoint_layout layout{directory};
  if (result<void> written = write_durably(layout.rewind(), to_record(*rewind)); !written) return written.error();
  if (result<void> done = detail::take_out_of_logs(layout, rewind->oldest_kept); !done) return done.error();
  if (result<void> removed = detail::remove_behind(layout, *rewind); !removed) return removed.error();
  rewind->is_done = true;
  if (result<void> written = write_durably(layout.rewind(), to_record(*rewind)); !written) return written.error();
  return rewind;
}

}  // namespace etlantic
