#pragma once
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/source.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace etlantic {

struct file_source_settings {
  std::string path;   ///< a file, a directory or a pattern
  bool tail = false;  ///< files are appended to while they are read
  std::size_t max_line_bytes = std::size_t{16} << 20;
  std::string redriven{};  ///< a folder of rows that go through once more; nothing if it is not there
  std::size_t chunk_bytes = std::size_t{256} << 10;  ///< what is read at once; tests make it small
};

/// Newline-delimited files as a source. A split is a file, named by its path; its unit is the byte.
///
/// Files are read oldest first, files of one time by name. Each `plan` looks for new files. Blank lines count in
/// `max_rows`, so that a batch may have fewer rows, never more.
///
/// Without `tail` a file is complete when it appears: writers finish it elsewhere and rename it into place. Its last
/// line needs no line feed. Whole lines that are appended later are read as well; when the last line was read without
/// its line feed and the file grows, that is a failure, because half a row was taken for a whole one.
///
/// With `tail` only lines with their line feed are read; what is behind the last one waits, also when the input is
/// frozen.
///
/// Losing bytes that were planned (a file that was cut, replaced by a shorter one, or removed before its batch was
/// read) is a failure. A file that has been read may be removed once a snapshot of the state holds its batch.
std::shared_ptr<source> make_file_source(file_source_settings settings);

/// The options of connector `file` as a source.
inline constexpr std::array<connector_option, 4> file_source_options{{
    {"path", true, "a file, a directory, or a pattern such as `in/*.json`"},
    {"format", false, "ndjson (the default)"},
    {"tail", false, "true: files are appended to while they are read; false (the default): they appear complete"},
    {"max_line_bytes", false, "longer lines are rejected as too_long; 16777216 unless given"},
}};

/// The same from the options of a profile.
result<std::shared_ptr<source>> make_file_source(const asset_binding& binding);

}  // namespace etlantic
