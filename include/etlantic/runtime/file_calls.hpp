#pragma once
#include <etlantic/runtime/durable_file_fault.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// The system calls behind every file that must survive a crash. What their errors mean to the user, the callers say.

namespace etlantic::detail {

struct failed_call {
  file_operation operation;
  std::string path;
  int error;  // an errno
};

/// Disk, memory or handles are gone: the same works again once there is room.
constexpr bool is_used_up(int error) {
  return error == ENOSPC || error == EDQUOT || error == EMFILE || error == ENFILE || error == ENOMEM;
}

inline file_fault fault_before(file_operation operation, const std::string& path) {
  file_fault_injector* injector = injected_file_faults.load();
  return injector == nullptr ? file_fault{} : injector->before(operation, path);
}

/// Runs a system call again while signals interrupt it; gives its errno, or 0.
template <class Call>
int error_of(Call call) {
  while (call() < 0)
    if (errno != EINTR) return errno;
  return 0;
}

/// Does the work, which gives an errno or 0, unless a test wants it to fail.
template <class Work>
std::optional<failed_call> attempt(file_operation operation, const std::string& path, Work work) {
  const file_fault fault = fault_before(operation, path);
  const int error = fault.error != 0 ? fault.error : work();
  if (error == 0) return {};
  return failed_call{operation, path, error};
}

class file_handle {
 public:
  file_handle() = default;
  file_handle(file_handle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_handle& operator=(file_handle&&) = delete;
  ~file_handle() { (void)close(); }

  int number() const { return number_; }
  int open(const std::string& path, int flags, ::mode_t mode = 0) {
    return error_of([&] { return number_ = ::open(path.c_str(), flags | O_CLOEXEC, mode); });
  }
  /// Some network file systems report a full disk only here.
  int close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_ = -1;
};

inline int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

/// Writes all of the bytes, unless a test wants it to fail; then half of them or none.
inline std::optional<failed_call> write_to(int file, const std::string& path, std::string_view bytes) {
  const file_fault fault = fault_before(file_operation::write, path);
  const std::size_t size = fault.error == 0 ? bytes.size() : fault.partly ? bytes.size() / 2 : 0;
  const int error = write_all(file, bytes.substr(0, size));
  if (fault.error == 0 && error == 0) return {};
  return failed_call{file_operation::write, path, fault.error == 0 ? error : fault.error};
}

inline std::string parent_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Makes the names in a directory (created, renamed, removed) survive a power failure.
inline std::optional<failed_call> sync_directory(const std::string& path) {
  return attempt(file_operation::sync_directory, path, [&] {
    file_handle directory;
    int error = directory.open(path, O_RDONLY | O_DIRECTORY);
    if (error == 0) error = error_of([&] { return ::fsync(directory.number()); });
    // File systems that cannot sync a directory order its changes themselves.
    return error == EINVAL ? 0 : error;
  });
}

/// Makes a directory and those above it that are missing, so that they survive a power failure.
inline std::optional<failed_call> make_directories(const std::string& path, ::mode_t mode) {
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) return {};
    return failed_call{file_operation::make_directory, path, ENOTDIR};
  }
  if (errno != ENOENT) return failed_call{file_operation::make_directory, path, errno};
  const std::string parent = parent_of(path);
  if (auto failed = make_directories(parent, mode)) return failed;
  const auto failed = attempt(file_operation::make_directory, path, [&] {
    const int error = error_of([&] { return ::mkdir(path.c_str(), mode); });
    return error == EEXIST ? 0 : error;
  });
  return failed ? failed : sync_directory(parent);
}

inline std::optional<failed_call> remove_if_there(const std::string& path) {
  return attempt(file_operation::remove, path, [&] {
    const int error = error_of([&] { return ::unlink(path.c_str()); });
    return error == ENOENT ? 0 : error;
  });
}

}  // namespace etlantic::detail
