#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/file_calls.hpp>

#include <cerrno>
#include <string>
#include <system_error>

namespace etlantic::detail {

/// What an error of the file sink means for the one who runs the pipeline: it could not do `doing`.
inline failure sink_failure(const std::string& doing, const std::string& path, int error) {
  const std::string message = "cannot " + doing + ": " + std::generic_category().message(error);
  if (is_used_up(error) || error == EFBIG || error == EIO)
    return {failure_class::resource_exhausted, "PMSTREAM445", message, path,
            "make room and start again; the batch will be replayed"};
  return {failure_class::configuration, "PMSTREAM443", message, path,
          "check that the path is right and that this user may write there"};
}

inline failure sink_failure(const failed_call& what) {
  const bool names_directory =
      what.operation == file_operation::make_directory || what.operation == file_operation::sync_directory;
  return sink_failure(std::string(name_of(what.operation)) + (names_directory ? "" : " the file"), what.path,
                      what.error);
}

}  // namespace etlantic::detail
