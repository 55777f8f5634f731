#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/durable_file_fault.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// Replaces a file by the parts, one after the other, so that after a crash either the old or the new contents are
/// there, whole: temporary file beside it (`<path>.tmp`), fsync, rename, fsync of the directory. One writer at a time.
result<void> write_durably(const std::string& path, std::span<const std::string_view> parts);
result<void> write_durably(const std::string& path, std::string_view contents);

struct named_contents {
  std::string path;
  std::string_view contents;
};

/// The same for several files of one directory, with one sync of it: when this returns all are there. A crash before
/// leaves the first ones or none.
result<void> write_in_order_durably(std::span<const named_contents> files);

/// Makes a directory and those above it that are missing, so that they survive a crash.
result<void> make_directories_durably(const std::string& path);

/// All bytes of a file. A file that does not exist is a failure with code PMSTREAM462.
result<std::string> read_file(const std::string& path);

/// Removes a file; one that does not exist is fine. Not synced: a file that comes back after a crash must do no harm.
result<void> remove_file(const std::string& path);

/// Names in a directory, sorted, without `.` and `..`.
result<std::vector<std::string>> list_directory(const std::string& path);

/// What a failed system call means to the user: path, reason, cure. Full disks and used-up handles are
/// `resource_exhausted`, everything else is of class `checkpoint`.
failure file_failure(file_operation operation, const std::string& path, int error);

}  // namespace etlantic
