#pragma once
#include <etlantic/runtime/batch_record.inl.hpp>
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>
#include <etlantic/runtime/checksum.hpp>

namespace etlantic {

namespace detail {

inline constexpr std::int64_t snapshot_version = 1;

struct section_head {
  std::string step;
  std::int64_t bytes = 0;
  std::uint32_t checksum = 0;
};

inline std::vector<section_head> take_section_heads(record_reader& record) {
  std::vector<section_head> heads;
  while (record.next_line_starts_with("state")) {
    section_head head;
    head.step = record.line().text("state");
    head.bytes = record.integer("bytes");
    head.checksum = take_checksum(record, "crc32c");
    heads.push_back(std::move(head));
  }
  return heads;
}

}  // namespace detail

[[gnu::used]] inline std::string snapshot_head(const snapshot& what) {
  record_writer record("snapshot", detail::snapshot_version);
  record.line().put("batch", what.batch).put("query", what.query);
  detail::put_ranges(record, what.positions);
  for (const state_section& state : what.states)
    record.line()
        .put("state", state.step)
        .put("bytes", static_cast<std::int64_t>(state.bytes.size()))
        .put("crc32c", to_text(crc32c(state.bytes)));
  return std::move(record).close();
}

[[gnu::used]] inline result<loaded_snapshot> loaded_snapshot::read(std::string bytes, const std::string& path) {
  loaded_snapshot loaded;
  loaded.bytes_ = std::make_unique<const std::string>(std::move(bytes));
  const std::string_view file = *loaded.bytes_;
  result<record_reader> opened = record_reader::open(file, "snapshot", detail::snapshot_version, path);
  if (!opened) return opened.error();
  record_reader& record = *opened;
  loaded.checksum_ = record.checksum();
  loaded.contents_.batch = record.line().integer("batch");
  loaded.contents_.query = record.text("query");
  loaded.contents_.positions = detail::take_ranges(record);
  const std::vector<detail::section_head> heads = detail::take_section_heads(record);
  if (result<void> whole = record.finish(); !whole) return whole.error();

  std::size_t at = record.size();
  for (const detail::section_head& head : heads) {
    const auto size = static_cast<std::size_t>(head.bytes);
    if (head.bytes < 0 || file.size() - at < size)
      return damaged_file(path, file.size(), "it is cut in the state of step '" + head.step + "'");
    const std::string_view section = file.substr(at, size);
    if (crc32c(section) != head.checksum)
      return damaged_file(path, at,
                          "the state of step '" + head.step + "' does not have the checksum that was written");
    loaded.contents_.states.push_back({head.step, section});
    at += size;
  }
  if (at != file.size()) return damaged_file(path, at, "more follows than belongs there");
  return loaded;
}

}  // namespace etlantic
