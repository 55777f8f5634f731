#pragma once
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/replacement_file.hpp>

#include <dirent.h>

#include <algorithm>
#include <system_error>

namespace etlantic {

namespace detail {

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

namespace detail {

inline result<void> judge(const std::optional<failed_call>& failed) {
  if (failed) return file_failure(failed->operation, failed->path, failed->error);
  return {};
}

}  // namespace detail

[[gnu::used]] inline result<void> write_durably(const std::string& path, std::span<const std::string_view> parts) {
  detail::replacement_file file(path + ".tmp", path);
  auto failed = file.create(0644);
  for (std::size_t i = 0; i < parts.size() && !failed; ++i) failed = file.write(parts[i]);
  if (!failed) failed = file.finish();
  if (!failed) failed = file.publish();
  return detail::judge(failed);
}

[[gnu::used]] inline result<void> write_durably(const std::string& path, std::string_view contents) {
  return write_durably(path, std::span(&contents, 1));
}

[[gnu::used]] inline result<void> write_in_order_durably(std::span<const named_contents> files) {
  std::vector<detail::replacement_file> made;
  made.reserve(files.size());
  std::optional<detail::failed_call> failed;
  for (std::size_t i = 0; i < files.size() && !failed; ++i) {
    made.emplace_back(files[i].path + ".tmp", files[i].path);
    failed = made.back().create(0644);
    if (!failed) failed = made.back().write(files[i].contents);
    if (!failed) made.back().begin_to_finish();
  }
  for (std::size_t i = 0; i < files.size() && !failed; ++i) failed = made[i].finish();
  for (std::size_t i = 0; i < files.size() && !failed; ++i) failed = made[i].rename();
  if (!failed && !files.empty()) failed = detail::sync_directory(detail::parent_of(files.front().path));
  return detail::judge(failed);
}

[[gnu::used]] inline result<void> make_directories_durably(const std::string& path) {
  return detail::judge(detail::make_directories(path, 0755));
}

[[gnu::used]] inline result<std::string> read_file(const std::string& path) {
  detail::file_handle file;
  struct stat found{};
  const auto failed = detail::attempt(file_operation::read, path, [&] {
    if (const int error = file.open(path, O_RDONLY); error != 0) return error;
    if (::fstat(file.number(), &found) != 0) return errno;
    return S_ISDIR(found.st_mode) ? EISDIR : 0;
  });
  if (failed) return detail::judge(failed).error();
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
  return detail::judge(detail::remove_if_there(path));
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
