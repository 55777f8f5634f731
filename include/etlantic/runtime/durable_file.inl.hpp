#pragma once
#include <etlantic/runtime/durable_file.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace etlantic {

namespace detail {

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

template <class Call>
int attempt(file_operation operation, const std::string& path, Call call) {
  const file_fault fault = fault_before(operation, path);
  return fault.error != 0 ? fault.error : error_of(call);
}

class file_handle {
 public:
  file_handle() = default;
  file_handle(const file_handle&) = delete;
  file_handle& operator=(const file_handle&) = delete;
  ~file_handle() { (void)close(); }

  int number() const { return number_; }
  int open(const std::string& path, int flags) {
    return error_of([&] { return number_ = ::open(path.c_str(), flags | O_CLOEXEC, 0644); });
  }
  int close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_ = -1;
};

inline int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

inline int write_part(int file, const std::string& path, std::string_view bytes) {
  const file_fault fault = fault_before(file_operation::write, path);
  if (fault.error == 0) return write_all(file, bytes);
  if (fault.partly) (void)write_all(file, bytes.substr(0, bytes.size() / 2));
  return fault.error;
}

inline std::string parent_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

inline result<void> sync_directory(const std::string& path) {
  file_handle directory;
  int error = attempt(file_operation::sync_directory, path, [&] {
    const int failed = directory.open(path, O_RDONLY | O_DIRECTORY);
    errno = failed;
    return failed == 0 ? ::fsync(directory.number()) : -1;
  });
  if (error == EINVAL) error = 0;  // file systems that cannot sync a directory order its changes themselves
  if (error != 0) return file_failure(file_operation::sync_directory, path, error);
  return {};
}

inline result<void> write_and_sync(const std::string& path, std::span<const std::string_view> parts) {
  file_handle file;
  int error = attempt(file_operation::create, path, [&] {
    const int failed = file.open(path, O_WRONLY | O_CREAT | O_TRUNC);
    errno = failed;
    return failed == 0 ? 0 : -1;
  });
  if (error != 0) return file_failure(file_operation::create, path, error);
  for (std::string_view part : parts)
    if ((error = write_part(file.number(), path, part)) != 0) return file_failure(file_operation::write, path, error);
  error = attempt(file_operation::sync, path, [&] { return ::fsync(file.number()); });
  if (error == 0) error = file.close();
  if (error != 0) return file_failure(file_operation::sync, path, error);
  return {};
}

inline bool is_used_up(int error) {
  return error == ENOSPC || error == EDQUOT || error == EMFILE || error == ENFILE || error == ENOMEM;
}

inline std::string cure_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "Free space on the file system that holds it, then start the query again: it goes on from there.";
    case EMFILE:
    case ENFILE: return "Raise the limit on open files (ulimit -n), then start the query again.";
    case EACCES:
    case EPERM: return "Give this user the right to write there, or name another directory in the profile.";
    case EROFS:
      return "The file system is mounted read-only: name another directory in the profile, or mount it writable.";
    case ENOTDIR:
    case EEXIST: return "A part of this path is a file: name a directory in the profile.";
    case ENOENT: return "Name a directory that exists.";
    default: return "Check the disk and the mount, then start the query again: it goes on from its last commit.";
  }
}

}  // namespace detail

[[gnu::used]] inline failure file_failure(file_operation operation, const std::string& path, int error) {
  const bool used_up = detail::is_used_up(error);
  const bool missing = error == ENOENT && operation == file_operation::read;
  return {used_up ? failure_class::resource_exhausted : failure_class::checkpoint,
          used_up   ? "PMSTREAM467"
          : missing ? "PMSTREAM462"
                    : "PMSTREAM466",
          "cannot " + std::string(name_of(operation)) + " '" + path + "': " + std::generic_category().message(error),
          path, detail::cure_of(error)};
}

[[gnu::used]] inline result<void> write_durably(const std::string& path, std::span<const std::string_view> parts) {
  const std::string temporary = path + ".tmp";
  if (result<void> written = detail::write_and_sync(temporary, parts); !written) {
    (void)remove_file(temporary);
    return written;
  }
  const int error =
      detail::attempt(file_operation::rename, path, [&] { return std::rename(temporary.c_str(), path.c_str()); });
  if (error != 0) {
    (void)remove_file(temporary);
    return file_failure(file_operation::rename, path, error);
  }
  return detail::sync_directory(detail::parent_of(path));
}

[[gnu::used]] inline result<void> write_durably(const std::string& path, std::string_view contents) {
  return write_durably(path, std::span(&contents, 1));
}

[[gnu::used]] inline result<void> make_directories_durably(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) return {};
    return file_failure(file_operation::make_directory, path, ENOTDIR);
  }
  if (errno != ENOENT) return file_failure(file_operation::make_directory, path, errno);
  const std::string parent = detail::parent_of(path);
  if (result<void> made = make_directories_durably(parent); !made) return made;
  const int error = detail::attempt(file_operation::make_directory, path, [&] { return ::mkdir(path.c_str(), 0755); });
  if (error != 0 && error != EEXIST) return file_failure(file_operation::make_directory, path, error);
  return detail::sync_directory(parent);
}

[[gnu::used]] inline result<std::string> read_file(const std::string& path) {
  detail::file_handle file;
  int error = detail::attempt(file_operation::read, path, [&] {
    const int failed = file.open(path, O_RDONLY);
    errno = failed;
    return failed == 0 ? 0 : -1;
  });
  struct stat found{};
  if (error == 0 && ::fstat(file.number(), &found) != 0) error = errno;
  if (error == 0 && S_ISDIR(found.st_mode)) error = EISDIR;
  if (error != 0) return file_failure(file_operation::read, path, error);
  std::string bytes(static_cast<std::size_t>(found.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (count == 0) break;
    if (count > 0)
      filled += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      return file_failure(file_operation::read, path, errno);
  }
  bytes.resize(filled);
  return bytes;
}

[[gnu::used]] inline result<void> remove_file(const std::string& path) {
  const int error = detail::attempt(file_operation::remove, path, [&] { return ::unlink(path.c_str()); });
  if (error != 0 && error != ENOENT) return file_failure(file_operation::remove, path, error);
  return {};
}

[[gnu::used]] inline result<std::vector<std::string>> list_directory(const std::string& path) {
  DIR* directory = ::opendir(path.c_str());
  if (directory == nullptr) return file_failure(file_operation::read, path, errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(directory)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ::closedir(directory);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace etlantic
