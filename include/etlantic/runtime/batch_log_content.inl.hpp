#pragma once
#include <etlantic/runtime/batch_log_content.hpp>
#include <etlantic/runtime/batch_record.inl.hpp>
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checksum.hpp>
#include <etlantic/runtime/durable_file.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace etlantic {

namespace detail {

inline constexpr std::int64_t batch_log_version = 1;

/// Whether bytes are what a crash leaves of a record that was being written: its beginning, and zeros where the system
/// had made room already. A whole record with a mistake in it is not, whichever of its bytes that is.
inline bool is_unfinished(std::string_view bytes) {
  constexpr std::string_view opening = "{\"etlantic\":\"";
  while (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
  if (bytes.substr(0, opening.size()) != opening.substr(0, bytes.size())) return false;
  if (bytes.find('\0') != std::string_view::npos) return false;
  if (const std::size_t closing = bytes.find("{\"length\":"); closing != std::string_view::npos) {
    const std::size_t end = bytes.find("\"}", closing);
    return bytes.find('\n', closing) == std::string_view::npos &&
           (end == std::string_view::npos || end + 2 == bytes.size());
  }
  // A closing line whose first bytes were changed still has the checksum of what stands before it.
  const std::size_t last_line = bytes.size() < 2 ? 0 : bytes.rfind('\n', bytes.size() - 2) + 1;
  const checksum_text checksum = to_text(crc32c(bytes.substr(0, last_line)));
  return bytes.substr(last_line).find(std::string_view(checksum)) == std::string_view::npos;
}

inline result<std::size_t> read_log_head(std::string_view bytes, std::int64_t number, const std::string& path) {
  result<record_reader> opened = record_reader::open(bytes, "batch_log", batch_log_version, path);
  if (!opened) return opened.error();
  const std::int64_t found = opened->line().integer("log");
  if (result<void> whole = opened->finish(); !whole) return whole.error();
  if (found != number) return foreign_file(path, "it is log " + std::to_string(found) + " and was renamed or copied");
  return opened->size();
}

inline result<logged_record> read_logged_record(std::string_view bytes, const std::string& path, std::size_t begin) {
  constexpr std::string_view commit = "{\"etlantic\":\"commit\"";
  logged_record made;
  if (bytes.substr(0, commit.size()) == commit) made.kind = batch_record_kind::commit;
  const bool is_commit = made.kind == batch_record_kind::commit;
  result<record_reader> opened = record_reader::open(
      bytes, is_commit ? "commit" : "plan", is_commit ? commit_record_version : plan_record_version, path, begin);
  if (!opened) return opened.error();
  made.batch = opened->line().integer("batch");
  made.bytes = bytes.substr(0, opened->size());
  return made;
}

}  // namespace detail

[[gnu::used]] inline std::int64_t batch_log_content::newest_batch() const {
  std::int64_t newest = -1;
  for (const logged_record& each : records) newest = std::max(newest, each.batch);
  return newest;
}

[[gnu::used]] inline std::string batch_log_head(std::int64_t number) {
  record_writer head("batch_log", detail::batch_log_version);
  head.line().put("log", number);
  return std::move(head).close();
}

[[gnu::used]] inline batch_log_content read_batch_log(const checkpoint_layout& layout, std::int64_t number,
                                                      bool is_newest) {
  const std::string path = layout.log(number);
  batch_log_content content;
  const result<std::string> read = read_file(path);
  if (!read) {
    content.damage =
        read.error().code == "PMSTREAM462" ? missing_file(path, "it belongs to this checkpoint") : read.error();
    return content;
  }
  const std::string_view bytes = *read;
  const result<std::size_t> head = detail::read_log_head(bytes, number, path);
  if (!head) {
    content.damage = head.error();
    return content;
  }
  content.size = *head;
  while (content.size < bytes.size()) {
    const std::string_view rest = bytes.substr(content.size);
    result<logged_record> record = detail::read_logged_record(rest, path, content.size);
    if (!record) {
      if (is_newest && detail::is_unfinished(rest))
        content.unfinished = rest.size();
      else
        content.damage = std::move(record.error());
      return content;
    }
    content.size += record->bytes.size();
    content.records.push_back(std::move(*record));
  }
  return content;
}

[[gnu::used]] inline result<void> verify_consecutive(const std::set<std::int64_t>& logs,
                                                     const checkpoint_layout& layout) {
  if (logs.empty()) return {};
  std::int64_t expected = *logs.begin();
  for (const std::int64_t number : logs)
    if (number != expected++) return missing_file(layout.log(expected - 1), "later logs of batches are there");
  return {};
}

}  // namespace etlantic
