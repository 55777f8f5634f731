#pragma once
#include <etlantic/runtime/file_calls.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace etlantic::detail {

/// New contents of a file, under a temporary name beside it until they are published. After a crash either the old or
/// the new contents are there, whole. What is not published is removed.
class replacement_file {
 public:
  replacement_file(std::string temporary, std::string name)
      : temporary_(std::move(temporary)), name_(std::move(name)) {}
  replacement_file(replacement_file&& other) noexcept
      : temporary_(std::exchange(other.temporary_, {})), name_(std::move(other.name_)), file_(std::move(other.file_)) {}
  replacement_file& operator=(replacement_file&&) = delete;
  ~replacement_file() {
    (void)file_.close();
    if (!temporary_.empty()) (void)remove_if_there(temporary_);
  }

  std::optional<failed_call> create(::mode_t mode) {
    return attempt(file_operation::create, temporary_,
                   [&] { return file_.open(temporary_, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode); });
  }

  std::optional<failed_call> write(std::string_view bytes) { return write_to(file_.number(), temporary_, bytes); }

  /// Lets the disk begin, where the system can. What several files begin before the first is finished is done together.
  void begin_to_finish() {
#ifdef SYNC_FILE_RANGE_WRITE
    (void)::sync_file_range(file_.number(), 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
  }

  /// All of it is on the disk.
  std::optional<failed_call> finish() {
    return attempt(file_operation::sync, temporary_, [&] {
      // Not fdatasync: the length of a new file is part of it.
      const int error = error_of([&] { return ::fsync(file_.number()); });
      return error == 0 ? file_.close() : error;
    });
  }

  /// Gives it its name, in place of a file that has it. Survives a power failure once its folder is synced.
  std::optional<failed_call> rename() {
    auto failed = attempt(file_operation::rename, name_,
                          [&] { return error_of([&] { return std::rename(temporary_.c_str(), name_.c_str()); }); });
    if (!failed) temporary_.clear();
    return failed;
  }
  std::optional<failed_call> publish() {
    auto failed = rename();
    return failed ? failed : sync_directory(parent_of(name_));
  }

 private:
  std::string temporary_;
  std::string name_;
  file_handle file_;
};

}  // namespace etlantic::detail
