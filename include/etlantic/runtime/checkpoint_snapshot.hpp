#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>
#include <etlantic/runtime/snapshot_compression.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// State of one step in a snapshot. The bytes are those of the step's stage; here they are only carried. Read from a
/// file they are one piece.
struct state_section {
  std::string step;
  std::vector<std::string_view> pieces;
  std::optional<std::int64_t> size{};  ///< bytes of the state, if the pieces are compressed

  std::string_view bytes() const { return pieces.empty() ? std::string_view() : pieces.front(); }
};

/// All that a restart needs besides the commit record: how far every source has been read, and the state of the steps.
struct snapshot {
  std::string query;
  std::int64_t batch = 0;
  /// Checksum of the batch's commit record, if that was written first; else the record names the snapshot.
  std::optional<std::uint32_t> commit;
  std::vector<extract_ranges> positions;  ///< the last range read of each split, in the order of first reading
  std::vector<state_section> states;
  snapshot_compression compression = snapshot_compression::none;  ///< of its file
};

/// A snapshot file: a record (see batch_record_text.hpp) that lists the sections with their sizes and checksums, then
/// the sections one after the other. Checksums are those of the bytes in the file.
std::string snapshot_head(const snapshot& what);

/// Writes the file of a snapshot. May run beside the query.
result<snapshot_receipt> write_snapshot_file(const checkpoint_layout& layout, const snapshot& what);

namespace detail {
struct section_head;
}

/// A snapshot read from a file, with the bytes that its sections point into.
class loaded_snapshot {
 public:
  static result<loaded_snapshot> read(std::string bytes, const std::string& path);

  const snapshot& contents() const { return contents_; }
  std::uint32_t checksum() const { return checksum_; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(bytes_->size()); }

  loaded_snapshot(loaded_snapshot&&) = default;
  loaded_snapshot& operator=(loaded_snapshot&&) = default;

 private:
  loaded_snapshot() = default;

  result<void> read_sections(std::span<const detail::section_head> heads, std::size_t at, const std::string& path);

  std::unique_ptr<const std::string> bytes_;  // its address stays when the snapshot is moved
  std::vector<std::unique_ptr<const std::string>> decompressed_;
  snapshot contents_;
  std::uint32_t checksum_ = 0;
};

}  // namespace etlantic
