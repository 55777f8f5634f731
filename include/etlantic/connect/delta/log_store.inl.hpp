#pragma once
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/replacement_file.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace etlantic::delta {

namespace detail {

using etlantic::detail::failed_call;

inline result<void> judge(const std::optional<failed_call>& failed) {
  if (failed) return file_trouble(*failed);
  return {};
}

}  // namespace detail

[[gnu::used]] inline std::string folder_store::at(const std::string& name) const {
  return name.empty() ? folder_ : name.starts_with('/') ? name : folder_ + '/' + name;
}

namespace detail {

/// Files of a table are no checkpoint, which failures to read a file mostly are about.
inline failure unreadable(const failure& why) {
  if (why.kind == failure_class::resource_exhausted) return why;
  return {failure_class::source_data, "PMSTREAM433", why.message, why.where,
          "check the disk and the rights of this user; a file that is gone has to be restored from a copy"};
}

}  // namespace detail

[[gnu::used]] inline result<std::string> folder_store::read(const std::string& name) const {
  auto bytes = read_file(at(name));
  if (!bytes) return detail::unreadable(bytes.error());
  return bytes;
}

[[gnu::used]] inline result<std::string> folder_store::read_part(const std::string& name, std::int64_t begin,
                                                                 std::int64_t size) const {
  const std::string path = at(name);
  etlantic::detail::file_handle file;
  struct stat found{};
  std::string bytes;
  const auto failed = etlantic::detail::attempt(file_operation::read, path, [&] {
    if (const int error = file.open(path, O_RDONLY); error != 0) return error;
    if (::fstat(file.number(), &found) != 0) return errno;
    bytes.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(found.st_size - begin, 0, size)));
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const ssize_t count =
          ::pread(file.number(), bytes.data() + filled, bytes.size() - filled, begin + static_cast<off_t>(filled));
      if (count == 0) break;
      if (count > 0)
        filled += static_cast<std::size_t>(count);
      else if (errno != EINTR)
        return errno;
    }
    bytes.resize(filled);
    return 0;
  });
  if (failed) return detail::unreadable(file_failure(failed->operation, failed->path, failed->error));
  return bytes;
}

[[gnu::used]] inline result<std::int64_t> folder_store::modified(const std::string& name) const {
  const std::string path = at(name);
  struct stat found{};
  const auto failed = etlantic::detail::attempt(file_operation::read, path,
                                                [&] { return ::stat(path.c_str(), &found) == 0 ? 0 : errno; });
  if (failed) return detail::unreadable(file_failure(failed->operation, failed->path, failed->error));
  return std::int64_t{found.st_mtim.tv_sec} * 1000 + found.st_mtim.tv_nsec / 1'000'000;
}

[[gnu::used]] inline result<std::vector<std::string>> folder_store::list(const std::string& folder) const {
  const std::string path = at(folder);
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0 && errno == ENOENT) return std::vector<std::string>();
  auto names = list_directory(path);
  if (!names) return detail::unreadable(names.error());
  return names;
}

[[gnu::used]] inline result<std::vector<stored_entry>> folder_store::entries(const std::string& folder) const {
  auto names = list(folder);
  if (!names) return names.error();
  std::vector<stored_entry> found;
  for (std::string& name : *names) {
    const std::string path = at(folder.empty() ? name : folder + '/' + name);
    struct stat about{};
    if (::lstat(path.c_str(), &about) != 0) {
      if (errno == ENOENT) continue;  // gone meanwhile
      return file_trouble({file_operation::read, path, errno});
    }
    if (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) continue;
    found.push_back({std::move(name), S_ISDIR(about.st_mode), static_cast<std::int64_t>(about.st_size),
                     std::int64_t{about.st_mtim.tv_sec} * 1000 + about.st_mtim.tv_nsec / 1'000'000});
  }
  return found;
}

[[gnu::used]] inline result<std::optional<std::int64_t>> folder_store::size(const std::string& name) const {
  const std::string path = at(name);
  struct stat about{};
  if (::stat(path.c_str(), &about) == 0) return std::optional(static_cast<std::int64_t>(about.st_size));
  if (errno == ENOENT || errno == ENOTDIR) return std::optional<std::int64_t>();
  return file_trouble({file_operation::read, path, errno});
}

[[gnu::used]] inline result<bool> folder_store::put_if_absent(const std::string& name, std::string_view bytes) const {
  const std::string path = at(name);
  const std::string folder = etlantic::detail::parent_of(path);
  // One name for all tries of a process would do, but two sinks of one process may write to one table.
  const std::string temporary = folder + "/." + path.substr(folder.size() + 1) + '.' + std::to_string(::getpid()) +
                                '.' + std::to_string(reinterpret_cast<std::uintptr_t>(bytes.data())) + ".tmp";
  etlantic::detail::replacement_file file(temporary, path);  // removes the temporary name in the end
  auto failed = file.create(0644);
  if (!failed) failed = file.write(bytes);
  if (!failed) failed = file.finish();
  if (failed) return file_trouble(*failed);
  bool is_taken = false;
  failed = etlantic::detail::attempt(file_operation::rename, path, [&] {
    const int error = etlantic::detail::error_of([&] { return ::link(temporary.c_str(), path.c_str()); });
    is_taken = error == EEXIST;
    return is_taken ? 0 : error;
  });
  if (!failed && !is_taken) failed = etlantic::detail::sync_directory(folder);
  if (failed) return file_trouble(*failed);
  return !is_taken;
}

[[gnu::used]] inline result<void> folder_store::replace(const std::string& name, std::string_view bytes) const {
  const std::string path = at(name);
  const std::string folder = etlantic::detail::parent_of(path);
  etlantic::detail::replacement_file file(
      folder + "/." + path.substr(folder.size() + 1) + '.' + std::to_string(::getpid()) + ".tmp", path);
  auto failed = file.create(0644);
  if (!failed) failed = file.write(bytes);
  if (!failed) failed = file.finish();
  if (!failed) failed = file.publish();
  return detail::judge(failed);
}

[[gnu::used]] inline result<void> folder_store::create(const std::string& name, std::string_view bytes) const {
  const std::string path = at(name);
  etlantic::detail::file_handle file;
  auto failed = etlantic::detail::attempt(
      file_operation::create, path, [&] { return file.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0644); });
  if (!failed)
    failed = etlantic::detail::attempt(file_operation::write, path,
                                       [&] { return etlantic::detail::write_all(file.number(), bytes); });
  if (!failed)
    failed = etlantic::detail::attempt(file_operation::sync, path, [&] {
      const int error = etlantic::detail::error_of([&] { return ::fsync(file.number()); });
      return error == 0 ? file.close() : error;
    });
  return detail::judge(failed);
}

[[gnu::used]] inline result<void> folder_store::sync(const std::string& folder) const {
  return detail::judge(etlantic::detail::sync_directory(at(folder)));
}

[[gnu::used]] inline result<void> folder_store::remove(const std::string& name) const {
  return detail::judge(etlantic::detail::remove_if_there(at(name)));
}

[[gnu::used]] inline result<void> folder_store::make_folders() const {
  return detail::judge(etlantic::detail::make_directories(at("_delta_log"), 0755));
}

}  // namespace etlantic::delta
