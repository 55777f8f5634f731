#pragma once
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic {

// The text form of every record in a checkpoint: JSON lines, so that a person and any tool can read them. Each line is
// one flat object with members in a fixed order; values are integers or strings. Bytes of a string that are not
// printable ASCII, and `%`, `"` and `\`, are written as `%` and two hexadecimal digits: any file name survives, and
// there is no other escape. The first line names kind and version; the last one holds the number of bytes before it
// and their CRC-32C.
//
//   {"etlantic":"plan","version":1}
//   {"batch":12,"planned_at":1700000000000000}
//   {"length":75,"crc32c":"89abcdef"}

/// Builds one record.
class record_writer {
 public:
  record_writer(std::string_view kind, std::int64_t version) { line().put("etlantic", kind).put("version", version); }

  record_writer& line();
  record_writer& put(std::string_view key, std::int64_t value);
  record_writer& put(std::string_view key, std::string_view value);

  /// Adds the closing line and gives the whole record.
  std::string close() &&;

 private:
  void key(std::string_view name);

  std::string bytes_;
  bool in_line_ = false;
};

/// Reads one record, strictly and in order. After the first mistake every further read gives zeros, and `finish` tells
/// where and what it was.
class record_reader {
 public:
  /// Verifies kind, version, length and checksum. `path` and where the record begins in that file are for messages;
  /// `bytes` must outlive the reader.
  static result<record_reader> open(std::string_view bytes, std::string_view kind, std::int64_t newest_version,
                                    std::string path, std::size_t begin = 0);

  std::int64_t version() const { return version_; }
  /// Bytes of the record with its closing line; what follows belongs to somebody else.
  std::size_t size() const { return size_; }
  std::uint32_t checksum() const { return checksum_; }

  bool next_line_starts_with(std::string_view key) const;
  record_reader& line();
  std::int64_t integer(std::string_view key);
  std::string text(std::string_view key);

  /// Succeeds if all lines have been read and none was wrong.
  result<void> finish();

 private:
  record_reader(std::string_view bytes, std::string path, std::size_t begin)
      : bytes_(bytes), path_(std::move(path)), begin_(begin) {}

  result<void> verify(std::string_view kind, std::int64_t newest_version);
  bool take(std::string_view expected);
  bool take_key(std::string_view name);
  void close_line();
  void fail(std::string what);
  failure damaged(std::size_t at, const std::string& what) const;

  std::string_view bytes_;  // up to the closing line, once verified
  std::string path_;
  std::size_t begin_ = 0;  // in the file
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  std::int64_t version_ = 0;
  std::uint32_t checksum_ = 0;
  bool in_line_ = false;
  bool first_member_ = true;
  std::string mistake_;
};

/// The checksum that the closing line of a whole record holds.
std::uint32_t record_checksum(std::string_view record);

/// A file of a checkpoint that cannot be used: `what` completes the sentence "checkpoint file '<path>' ...".
failure damaged_file(const std::string& path, std::size_t offset, const std::string& what);
failure foreign_file(const std::string& path, const std::string& what);
failure missing_file(const std::string& path, const std::string& what);
failure interrupted_rewind(const std::string& directory, std::int64_t to);
failure newer_file(const std::string& path, std::int64_t version, std::int64_t newest_version);

}  // namespace etlantic
