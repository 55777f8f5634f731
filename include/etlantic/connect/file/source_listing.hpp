#pragma once
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etlantic {

/// A file that a source may read, as the listing saw it.
struct listed_file {
  std::string path;
  std::int64_t modified = 0;  ///< nanoseconds since 1970
  std::int64_t size = 0;
  std::int64_t changed = 0;  ///< nanoseconds since 1970: its content or what is known of it, such as its name
  std::uint64_t number = 0;  ///< the file's own in its file system
};

/// The files that `path` names: itself, the files directly in a directory, or the matches of a pattern (glob(7)).
/// Of directories and patterns, names that begin with `.` or `_` are left out, as other engines do with theirs: writers
/// mark unfinished work that way. Oldest first, files of the same time by name. Links to files count as files.
result<std::vector<listed_file>> list_source_files(const std::string& path);

}  // namespace etlantic
