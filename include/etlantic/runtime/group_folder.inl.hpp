#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/checkpoint_lock.inl.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/group_folder.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

namespace etlantic {

namespace detail {

inline constexpr std::int64_t group_record_version = 1;

/// Whose folder it is, is written and read in a moment; another process that does it is waited for.
inline result<checkpoint_lock> take_for_a_moment(const std::string& directory) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (;;) {
    result<checkpoint_lock> lock = checkpoint_lock::take(directory);
    if (lock || lock.error().code != "PMSTREAM460" || std::chrono::steady_clock::now() > end) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

inline failure not_this_group(const std::string& directory, std::string what) {
  return {failure_class::checkpoint, "PMSTREAM487", std::move(what), directory,
          "Name another checkpoint directory in the profile. What one query has read is no beginning for another."};
}

inline result<void> verify_group(const group_record& stored, const group_record& wanted, const std::string& directory) {
  if (stored.pipeline != wanted.pipeline)
    return not_this_group(directory, "the checkpoint '" + directory + "' is of the pipeline '" + stored.pipeline +
                                         "', this is '" + wanted.pipeline + "'");
  if (stored.group != wanted.group)
    return not_this_group(directory, "the checkpoint '" + directory + "' is of the group '" + stored.group +
                                         "', this is '" + wanted.group + "'");
  return {};
}

/// Under the lock of the folder.
inline result<group_record> read_or_create_group(const group_layout& layout, group_record wanted) {
  const result<std::string> bytes = read_file(layout.record());
  if (!bytes && bytes.error().code != "PMSTREAM462") return bytes.error();
  if (bytes) {
    result<group_record> stored = read_group_record(*bytes, layout.record());
    if (!stored) return stored;
    if (result<void> ours = verify_group(*stored, wanted, layout.directory); !ours) return ours.error();
    return stored;
  }
  if (::access(checkpoint_layout{layout.directory}.identity().c_str(), F_OK) == 0)
    return not_this_group(layout.directory, "the checkpoint '" + layout.directory +
                                                "' is of a query that reads all partitions itself (intake: planned)");
  const result<std::vector<std::string>> names = list_directory(layout.directory);
  if (!names) return names.error();
  for (const std::string& each : *names)
    if (each != "lock" && !checkpoint_layout::is_temporary(each))
      return foreign_file(layout.directory + "/" + each,
                          "the directory has no group.json, so it is no checkpoint of a group, and it is not empty");
  if (result<void> written = write_durably(layout.record(), to_record(wanted)); !written) return written.error();
  return wanted;
}

/// Folders that have a file of this name, below a directory, by their path from there.
inline std::vector<std::string> folders_with(const std::string& directory, const char* file) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(directory, failed), end; !failed && at != end; at.increment(failed))
    if (at->path().filename() == file && at.depth() > 0)
      found.push_back(fs::relative(at->path().parent_path(), directory, failed).string());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace detail

[[gnu::used]] inline bool is_group_folder(const std::string& directory) {
  return ::access(group_layout{directory}.record().c_str(), F_OK) == 0;
}

[[gnu::used]] inline std::string to_record(const group_record& group) {
  record_writer record("group", detail::group_record_version);
  record.line()
      .put("query", group.query)
      .put("pipeline", group.pipeline)
      .put("group", group.group)
      .put("created", group.created.microseconds);
  for (const std::string& each : group.splits) record.line().put("split", each);
  return std::move(record).close();
}

[[gnu::used]] inline result<group_record> read_group_record(std::string_view bytes, const std::string& path) {
  result<record_reader> opened = record_reader::open(bytes, "group", detail::group_record_version, path);
  if (!opened) return opened.error();
  record_reader& record = *opened;
  if (record.size() != bytes.size()) return damaged_file(path, record.size(), "more follows than belongs there");
  group_record group;
  group.query = record.line().text("query");
  group.pipeline = record.text("pipeline");
  group.group = record.text("group");
  group.created = {record.integer("created")};
  while (record.next_line_starts_with("split")) group.splits.insert(record.line().text("split"));
  if (result<void> whole = record.finish(); !whole) return whole.error();
  return group;
}

[[gnu::used]] inline std::vector<std::string> splits_in(const group_layout& layout) {
  return detail::folders_with(layout.splits(), "identity.json");
}

[[gnu::used]] inline std::vector<std::string> processes_in(const group_layout& layout) {
  return detail::folders_with(layout.processes(), "lock");
}

[[gnu::used]] inline result<group_folder> group_folder::open(const std::string& directory, group_record wanted) {
  const group_layout layout{directory};
  if (result<void> made = make_directories_durably(directory); !made) return made.error();
  const result<checkpoint_lock> alone = detail::take_for_a_moment(directory);
  if (!alone) return alone.error();
  result<group_record> record = detail::read_or_create_group(layout, std::move(wanted));
  if (!record) return record.error();
  for (std::size_t place = 0;; ++place) {
    const std::string folder = layout.process(place);
    if (result<void> made = make_directories_durably(folder); !made) return made.error();
    result<checkpoint_lock> lock = checkpoint_lock::take(folder);
    if (lock) return group_folder(layout, std::move(*record), folder, std::move(*lock));
    if (lock.error().code != "PMSTREAM460") return lock.error();
  }
}

}  // namespace etlantic
