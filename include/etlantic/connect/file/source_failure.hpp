#pragma once
#include <etlantic/core/result.hpp>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace etlantic::detail {

// PMSTREAM420 the system refuses a file, 421 not a file that can be read, 422 shorter than what was planned,
// 423 grown behind a line that was read as complete (a warning), 424 an option.

inline std::string_view help_for(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR: return "check the option `path`; a batch that was planned needs its files until it is committed";
    case EACCES:
    case EPERM: return "give the user who runs this program the right to read it";
    case EMFILE:
    case ENFILE: return "raise the limit of open files (ulimit -n)";
    default: return "check the disk and the mount, then start again";
  }
}

/// The file or directory could not be found, listed, opened or read.
inline failure source_file_failure(std::string_view action, const std::string& path, int error) {
  const auto kind = error == ENOMEM || error == EMFILE || error == ENFILE ? failure_class::resource_exhausted
                                                                          : failure_class::source_data;
  return {kind, "PMSTREAM420",
          "cannot " + std::string(action) + " the input: " + std::generic_category().message(error), path,
          std::string(help_for(error))};
}

inline failure unusable_source_file(const std::string& path, std::string_view why) {
  return {failure_class::source_data, "PMSTREAM421", "this cannot be read as a file: " + std::string(why), path,
          "name a file, a directory of files or a pattern"};
}

inline failure shrunken_source_file(const std::string& path, std::int64_t size, std::int64_t planned) {
  return {failure_class::source_data, "PMSTREAM422",
          "the file has " + std::to_string(size) + " bytes, but " + std::to_string(planned) +
              " were planned: it was cut or replaced",
          path, "bring the file back as it was; new data belongs into a file with a new name"};
}

/// A warning: what is there already is read, what came is not.
inline std::string grown_source_file(const std::string& path, std::int64_t end) {
  return "PMSTREAM423: " + path + " grew behind byte " + std::to_string(end) +
         ", where its last line had been read without a line feed; it is not read any further. Put the new bytes into "
         "a "
         "file of their own; for files that are written in place, set `tail` before they are first read";
}

}  // namespace etlantic::detail
