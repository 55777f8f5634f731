#pragma once
#include <etlantic/runtime/batch_record.inl.hpp>
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>
#include <etlantic/runtime/checksum.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/snapshot_compression.hpp>

namespace etlantic {

namespace detail {

// 1: the commit record of its batch is written behind it and names it. 2: it is written behind that, and names it.
// 3: one or the other, with compressed states.
inline constexpr std::int64_t snapshot_version = 3;

struct section_head {
  std::string step;
  std::int64_t bytes = 0;   ///< of the state
  std::int64_t stored = 0;  ///< of them in the file
  std::uint32_t checksum = 0;
};

inline std::vector<section_head> take_section_heads(record_reader& record) {
  std::vector<section_head> heads;
  while (record.next_line_starts_with("state")) {
    section_head head;
    head.step = record.line().text("state");
    head.bytes = record.integer("bytes");
    head.stored = record.version() >= 3 ? record.integer("stored") : head.bytes;
    head.checksum = take_checksum(record, "crc32c");
    heads.push_back(std::move(head));
  }
  return heads;
}

/// What stands in front of the states.
struct snapshot_head_read {
  snapshot what;
  std::vector<section_head> sections;
  std::size_t size = 0;
  std::uint32_t checksum = 0;
};

inline result<snapshot_head_read> read_snapshot_head(std::string_view file, const std::string& path) {
  result<record_reader> opened = record_reader::open(file, "snapshot", snapshot_version, path);
  if (!opened) return opened.error();
  record_reader& record = *opened;
  snapshot_head_read head;
  head.checksum = record.checksum();
  head.what.batch = record.line().integer("batch");
  head.what.query = record.text("query");
  if (record.version() >= 3) {
    if (record.text("compression") != name_of(snapshot_compression::zstd))
      return damaged_file(path, 0, "it is compressed in a way that is not known");
    head.what.compression = snapshot_compression::zstd;
  }
  if (record.version() == 2 || (record.version() >= 3 && record.next_line_starts_with("commit"))) {
    if (record.version() >= 3) record.line();
    head.what.commit = take_checksum(record, "commit");
  }
  head.what.positions = take_ranges(record);
  head.sections = take_section_heads(record);
  if (result<void> whole = record.finish(); !whole) return whole.error();
  head.size = record.size();
  return head;
}

}  // namespace detail

[[gnu::used]] inline std::string snapshot_head(const snapshot& what) {
  const bool is_compressed = what.compression != snapshot_compression::none;
  record_writer record("snapshot", is_compressed ? 3 : what.commit ? 2 : 1);
  record.line().put("batch", what.batch).put("query", what.query);
  if (is_compressed) record.put("compression", name_of(what.compression));
  if (is_compressed && what.commit) record.line();
  if (what.commit) record.put("commit", to_text(*what.commit));
  detail::put_ranges(record, what.positions);
  for (const state_section& state : what.states) {
    std::int64_t bytes = 0;
    std::uint32_t checksum = 0;
    for (const std::string_view piece : state.pieces) {
      bytes += static_cast<std::int64_t>(piece.size());
      checksum = crc32c(piece, checksum);
    }
    record.line().put("state", state.step).put("bytes", state.size.value_or(bytes));
    if (is_compressed) record.put("stored", bytes);
    record.put("crc32c", to_text(checksum));
  }
  return std::move(record).close();
}

namespace detail {

/// The same snapshot with compressed states, which `storage` holds.
inline result<snapshot> compressed(snapshot what, const std::string& path, std::vector<std::string>& storage) {
  storage.reserve(what.states.size());
  for (state_section& section : what.states) {
    std::int64_t size = 0;
    for (const std::string_view piece : section.pieces) size += static_cast<std::int64_t>(piece.size());
    result<std::string> stored = compress(section.pieces, path);
    if (!stored) return stored.error();
    section.pieces = {storage.emplace_back(std::move(*stored))};
    section.size = size;
  }
  return what;
}

inline result<snapshot_receipt> write_sections(const checkpoint_layout& layout, const snapshot& what) {
  const std::string head = snapshot_head(what);
  std::vector<std::string_view> parts{head};
  for (const state_section& section : what.states)
    parts.insert(parts.end(), section.pieces.begin(), section.pieces.end());
  if (result<void> written = write_durably(layout.snapshot(what.batch), parts); !written) return written.error();
  std::int64_t bytes = 0;
  for (const std::string_view part : parts) bytes += static_cast<std::int64_t>(part.size());
  return snapshot_receipt{checkpoint_layout::file_name(what.batch, ".snapshot"), bytes, record_checksum(head)};
}

}  // namespace detail

[[gnu::used]] inline result<snapshot_receipt> write_snapshot_file(const checkpoint_layout& layout,
                                                                  const snapshot& what) {
  if (what.compression == snapshot_compression::none) return detail::write_sections(layout, what);
  std::vector<std::string> storage;
  const result<snapshot> stored = detail::compressed(what, layout.snapshot(what.batch), storage);
  if (!stored) return stored.error();
  return detail::write_sections(layout, *stored);
}

[[gnu::used]] inline result<loaded_snapshot> loaded_snapshot::read(std::string bytes, const std::string& path) {
  loaded_snapshot loaded;
  loaded.bytes_ = std::make_unique<const std::string>(std::move(bytes));
  result<detail::snapshot_head_read> opened = detail::read_snapshot_head(*loaded.bytes_, path);
  if (!opened) return opened.error();
  loaded.checksum_ = opened->checksum;
  loaded.contents_ = std::move(opened->what);
  if (result<void> read = loaded.read_sections(opened->sections, opened->size, path); !read) return read.error();
  return loaded;
}

[[gnu::used]] inline result<void> loaded_snapshot::read_sections(std::span<const detail::section_head> heads,
                                                                 std::size_t at, const std::string& path) {
  const std::string_view file = *bytes_;
  for (const detail::section_head& head : heads) {
    const auto size = static_cast<std::size_t>(head.stored);
    if (head.stored < 0 || file.size() - at < size)
      return damaged_file(path, file.size(), "it is cut in the state of step '" + head.step + "'");
    std::string_view section = file.substr(at, size);
    if (crc32c(section) != head.checksum)
      return damaged_file(path, at,
                          "the state of step '" + head.step + "' does not have the checksum that was written");
    if (contents_.compression != snapshot_compression::none) {
      result<std::string> bytes = decompress(section, head.bytes, path);
      if (!bytes) return bytes.error();
      section = *decompressed_.emplace_back(std::make_unique<const std::string>(std::move(*bytes)));
    }
    contents_.states.push_back({head.step, {section}});
    at += size;
  }
  if (at != file.size()) return damaged_file(path, at, "more follows than belongs there");
  return {};
}

}  // namespace etlantic
