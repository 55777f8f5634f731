#pragma once
#include <etlantic/runtime/checkpoint_lock.hpp>
#include <etlantic/runtime/durable_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>

namespace etlantic {

namespace detail {

inline std::string pid_in(int file) {
  char digits[24] = {};
  const ssize_t count = ::pread(file, digits, sizeof digits - 1, 0);
  const std::string_view text(digits, count > 0 ? static_cast<std::size_t>(count) : 0);
  return std::string(text.substr(0, text.find_first_not_of("0123456789")));
}

inline std::string holder_of(int file) {
  const std::string pid = pid_in(file);
  return pid.empty() ? "another process" : "process " + pid;
}

/// Whoever only looks who holds a lock has it for a moment, which must not refuse a query.
inline int lock_unless_held(int file) {
  for (int i = 0; i < 4; ++i) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK) return errno;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return EWOULDBLOCK;
}

}  // namespace detail

[[gnu::used]] inline void checkpoint_lock::release() {
  if (file_ >= 0) ::close(file_);
}

[[gnu::used]] inline result<checkpoint_lock> checkpoint_lock::take(const std::string& directory) {
  const std::string path = directory + "/lock";
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return file_failure(file_operation::create, path, errno);
  checkpoint_lock lock(file);
  if (const int error = detail::lock_unless_held(file); error != 0) {
    if (error != EWOULDBLOCK) return file_failure(file_operation::create, path, error);
    return failure{failure_class::checkpoint, "PMSTREAM460",
                   detail::holder_of(file) + " works on checkpoint '" + directory + "'", directory,
                   "Wait until it has ended or stop it, or name another checkpoint directory in the profile."};
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  // For people and for the message above; the lock itself does not depend on it.
  errno = 0;
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return file_failure(file_operation::write, path, errno != 0 ? errno : ENOSPC);
  return lock;
}

[[gnu::used]] inline result<checkpoint_lock> checkpoint_lock::share() const {
  const int twin = ::fcntl(file_, F_DUPFD_CLOEXEC, 0);
  if (twin < 0) return file_failure(file_operation::create, "lock", errno);
  return checkpoint_lock(twin);
}

[[gnu::used]] inline result<checkpoint_holder> holder_of_checkpoint(const std::string& directory) {
  const std::string path = directory + "/lock";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return checkpoint_holder{};
  if (file < 0) return file_failure(file_operation::read, path, errno);
  checkpoint_holder found{::flock(file, LOCK_SH | LOCK_NB) != 0, detail::pid_in(file)};
  ::close(file);
  return found;
}

}  // namespace etlantic
