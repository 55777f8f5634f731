#pragma once
#include <etlantic/core/result.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace etlantic::detail {

/// What an error number means for the one who runs the pipeline.
inline failure file_failure(const char* doing, const std::filesystem::path& path, int error) {
  const std::string message = std::string("cannot ") + doing + ": " + std::strerror(error);
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return {failure_class::resource_exhausted, "PMSTREAM445", message, path.string(),
              "make room and start again; the batch will be replayed"};
    default:
      return {failure_class::configuration, "PMSTREAM443", message, path.string(),
              "check that the path is right and that this user may write there"};
  }
}

/// Makes the names in a directory (created, renamed, removed) survive a power failure.
inline result<void> sync_directory(const std::filesystem::path& directory) {
  const int handle = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return file_failure("open the directory", directory, errno);
  const int error = ::fsync(handle) == 0 ? 0 : errno;
  ::close(handle);
  // Some file systems cannot sync a directory and need not.
  if (error != 0 && error != EINVAL) return file_failure("sync the directory", directory, error);
  return {};
}

/// A file under its temporary name. Unless it is published it is removed.
class part_file {
 public:
  part_file(std::filesystem::path temporary, std::filesystem::path name)
      : temporary_(std::move(temporary)), name_(std::move(name)) {}
  part_file(part_file&& other) noexcept
      : temporary_(std::exchange(other.temporary_, {})),
        name_(std::move(other.name_)),
        handle_(std::exchange(other.handle_, -1)) {}
  part_file& operator=(part_file&&) = delete;
  ~part_file() {
    if (handle_ >= 0) ::close(handle_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  result<void> create() {
    handle_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (handle_ < 0) return file_failure("create the file", temporary_, errno);
    return {};
  }

  result<void> write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ::ssize_t written = ::write(handle_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return file_failure("write the file", temporary_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  /// All of it is on the disk.
  result<void> finish() {
    // Not fdatasync: the length of a new file is part of it.
    if (::fsync(handle_) != 0) return file_failure("sync the file", temporary_, errno);
    // Some network file systems report a full disk only here.
    if (::close(std::exchange(handle_, -1)) != 0) return file_failure("close the file", temporary_, errno);
    return {};
  }

  /// Gives it its name, in place of a file that has it.
  result<void> publish() {
    if (std::rename(temporary_.c_str(), name_.c_str()) != 0) return file_failure("rename the file to", name_, errno);
    temporary_.clear();
    return sync_directory(name_.parent_path());
  }

 private:
  std::filesystem::path temporary_;
  std::filesystem::path name_;
  int handle_ = -1;
};

}  // namespace etlantic::detail
