#pragma once
#include <etlantic/runtime/file_calls.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace etlantic {

/// Replaces a file so that readers see the old or the new contents, whole. Not synced: what it says need not survive a
/// power failure. Gives an errno, or 0.
inline int write_passing(const std::string& path, std::string_view contents) {
  const std::string temporary = path + ".tmp";
  detail::file_handle file;
  if (const int error = file.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0644); error != 0) return error;
  int error = detail::write_all(file.number(), contents);
  if (const int closed = file.close(); error == 0) error = closed;
  if (error == 0) error = detail::error_of([&] { return std::rename(temporary.c_str(), path.c_str()); });
  if (error != 0) (void)::unlink(temporary.c_str());
  return error;
}

}  // namespace etlantic
