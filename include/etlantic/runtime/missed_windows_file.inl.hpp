#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/missed_windows_file.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <set>

namespace etlantic {

namespace detail {

inline constexpr std::int64_t missed_windows_record_version = 1;

inline std::string to_record(std::int64_t batch, const std::string& query, const missed_windows& missed) {
  record_writer record("missed_windows", missed_windows_record_version);
  record.line().put("query", query).put("batch", batch);
  for (const auto& [step, windows] : missed.by_step()) {
    if (windows.size() == 0) continue;
    record.line().put("step", step);
    for (const auto& [start, end] : windows) record.line().put("start", start).put("end", end);
  }
  return std::move(record).close();
}

inline result<void> read_missed(const std::string& path, const std::string& query, missed_windows& into) {
  const result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  result<record_reader> opened = record_reader::open(*bytes, "missed_windows", missed_windows_record_version, path);
  if (!opened) return opened.error();
  const std::string owner = opened->line().text("query");
  static_cast<void>(opened->integer("batch"));
  while (opened->next_line_starts_with("step")) {
    const std::string step = opened->line().text("step");
    while (opened->next_line_starts_with("start")) {
      const std::int64_t start = opened->line().integer("start");
      into.add(step, {start, opened->integer("end")});
    }
  }
  if (result<void> whole = opened->finish(); !whole) return whole;
  if (owner != query) return foreign_file(path, "it was written by query " + owner + ", this is " + query);
  return {};
}

}  // namespace detail

[[gnu::used]] inline result<void> kept_missed_windows::keep(const checkpoint_layout& layout, std::int64_t batch,
                                                            const std::string& query, const missed_windows& missed) {
  if (missed.empty()) return {};
  std::map<std::int64_t, bool> waits;  // whether nobody has taken the file of a batch
  const auto still_waits = [&](std::int64_t of) {
    const auto [found, is_new] = waits.try_emplace(of, false);
    if (is_new) found->second = ::access(layout.missed(of).c_str(), F_OK) == 0;
    return found->second;
  };
  missed_windows added;
  for (const auto& [step, windows] : missed.by_step())
    for (const auto& [start, end] : windows) {
      const auto known = batches_.find({step, {start, end}});
      if (known != batches_.end() && still_waits(known->second)) continue;
      added.add(step, {start, end});
    }
  if (added.empty()) return {};
  if (result<void> made = make_directories_durably(layout.corrections()); !made) return made;
  if (result<void> written = write_durably(layout.missed(batch), detail::to_record(batch, query, added)); !written)
    return written;
  // What was taken is forgotten here too, so that this map holds what waits and no more.
  std::erase_if(batches_, [&](const auto& each) { return !still_waits(each.second); });
  for (const auto& [step, windows] : added.by_step())
    for (const auto& window : windows) batches_[{step, window}] = batch;
  return {};
}

[[gnu::used]] inline result<taken_windows> take_missed_windows(const checkpoint_layout& layout,
                                                               const std::string& query) {
  taken_windows taken;
  if (::access(layout.corrections().c_str(), F_OK) != 0 && errno == ENOENT) return taken;
  const result<std::vector<std::string>> names = list_directory(layout.corrections());
  if (!names) return names.error();
  std::set<std::string> paths;
  for (const std::string& name : *names) {
    if (const std::int64_t batch = checkpoint_layout::batch_of(name, ".taken"); batch >= 0) {
      taken.newest_batch = std::max(taken.newest_batch, batch);
      // Before the rename below, which may put a newer file in its place.
      if (result<void> read = detail::read_missed(layout.taken(batch), query, taken.windows); !read)
        return read.error();
    }
  }
  for (const std::string& name : *names) {
    const std::int64_t batch = checkpoint_layout::batch_of(name, ".windows");
    if (batch < 0) continue;
    taken.newest_batch = std::max(taken.newest_batch, batch);
    if (result<void> read = detail::read_missed(layout.missed(batch), query, taken.windows); !read) return read.error();
    if (std::rename(layout.missed(batch).c_str(), layout.taken(batch).c_str()) != 0)
      return file_failure(file_operation::rename, layout.missed(batch), errno);
  }
  return taken;
}

[[gnu::used]] inline result<void> remove_taken_windows(const checkpoint_layout& layout) {
  const result<std::vector<std::string>> names = list_directory(layout.corrections());
  if (!names) return names.error();
  for (const std::string& name : *names)
    if (checkpoint_layout::batch_of(name, ".taken") >= 0)
      if (result<void> removed = remove_file(layout.corrections() + "/" + name); !removed) return removed;
  return {};
}

}  // namespace etlantic
