#pragma once
#include <etlantic/connect/file/source_failure.hpp>
#include <etlantic/connect/file/source_listing.hpp>

#include <dirent.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

namespace etlantic {

namespace detail {

inline bool is_pattern(std::string_view path) { return path.find_first_of("*?[") != std::string_view::npos; }

inline bool is_hidden(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  return name.starts_with('.') || name.starts_with('_');
}

inline listed_file listed(std::string path, const struct stat& status) {
  constexpr std::int64_t second = 1'000'000'000;
  const auto nanoseconds = [](const timespec& time) { return time.tv_sec * second + time.tv_nsec; };
  return {std::move(path), nanoseconds(status.st_mtim), status.st_size, nanoseconds(status.st_ctim), status.st_ino};
}

// A name found in a directory or by a pattern. Subdirectories are no input; a file that has gone since is none either.
inline result<void> add_found(const std::string& path, std::vector<listed_file>& files) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    const int error = errno;
    struct stat link{};
    if (error == ENOENT && ::lstat(path.c_str(), &link) != 0) return {};
    if (error == ENOENT) return unusable_source_file(path, "it is a link to a file that does not exist");
    return source_file_failure("read", path, error);
  }
  if (S_ISDIR(status.st_mode)) return {};
  if (!S_ISREG(status.st_mode)) return unusable_source_file(path, "it is a pipe, socket or device");
  files.push_back(listed(path, status));
  return {};
}

inline result<void> list_files_in(const std::string& directory, std::vector<listed_file>& files) {
  const auto close = [](DIR* opened) { ::closedir(opened); };
  const std::unique_ptr<DIR, decltype(close)> entries(::opendir(directory.c_str()), close);
  if (!entries) return source_file_failure("list", directory, errno);
  const std::string prefix = directory.ends_with('/') ? directory : directory + "/";
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(entries.get());
    if (entry == nullptr) break;
    if (is_hidden(entry->d_name)) continue;
    if (auto added = add_found(prefix + entry->d_name, files); !added) return added;
  }
  if (errno != 0) return source_file_failure("list", directory, errno);
  return {};
}

// glob(3) reports what it could not look into through a function without a context.
inline thread_local std::pair<std::string, int> glob_problem;

inline result<void> list_matches(const std::string& pattern, std::vector<listed_file>& files) {
  // A fixed directory that does not exist is a slip of the pen, not a pattern without matches.
  const std::string fixed = pattern.substr(0, pattern.find_first_of("*?["));
  const std::size_t slash = fixed.find_last_of('/');
  struct stat directory{};
  if (slash != std::string::npos && ::stat(fixed.substr(0, slash + 1).c_str(), &directory) != 0)
    return source_file_failure("find", fixed.substr(0, slash + 1), errno);

  const auto remember = [](const char* path, int error) {
    glob_problem = {path, error};
    return error == ENOENT || error == ENOTDIR ? 0 : 1;
  };
  glob_t found{};
  const auto release = [](glob_t* matches) { ::globfree(matches); };
  const std::unique_ptr<glob_t, decltype(release)> owner(&found, release);
  const int status = ::glob(pattern.c_str(), 0, remember, &found);
  if (status == GLOB_NOMATCH) return {};  // files may come later
  if (status == GLOB_NOSPACE) return source_file_failure("list", pattern, ENOMEM);
  if (status != 0) return source_file_failure("list", glob_problem.first, glob_problem.second);
  for (std::size_t i = 0; i < found.gl_pathc; ++i) {
    if (is_hidden(found.gl_pathv[i])) continue;
    if (auto added = add_found(found.gl_pathv[i], files); !added) return added;
  }
  return {};
}

}  // namespace detail

[[gnu::used]] inline result<std::vector<listed_file>> list_source_files(const std::string& path) {
  std::vector<listed_file> files;
  struct stat status{};
  result<void> done;
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      done = detail::list_files_in(path, files);
    else if (S_ISREG(status.st_mode))
      files.push_back(detail::listed(path, status));
    else
      return detail::unusable_source_file(path, "it is a pipe, socket or device");
  } else if (errno == ENOENT && detail::is_pattern(path)) {
    done = detail::list_matches(path, files);
  } else {
    return detail::source_file_failure("find", path, errno);
  }
  if (!done) return done.error();
  std::sort(files.begin(), files.end(), [](const listed_file& a, const listed_file& b) {
    return std::tie(a.modified, a.path) < std::tie(b.modified, b.path);
  });
  return files;
}

}  // namespace etlantic
