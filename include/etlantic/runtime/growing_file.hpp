#pragma once
#include <etlantic/runtime/file_calls.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace etlantic::detail {

/// A file that is written at its end, and whose end is on the disk when `append` returns.
class growing_file {
 public:
  growing_file(std::string path, std::size_t size) : path_(std::move(path)), size_(size) {}

  std::optional<failed_call> open() {
    return attempt(file_operation::create, path_, [&] { return file_.open(path_, O_WRONLY | O_APPEND | O_NOFOLLOW); });
  }

  std::size_t size() const { return size_; }

  /// A failure leaves the file as long as it was, as far as the system lets it be cut again.
  std::optional<failed_call> append(std::string_view bytes) {
    std::optional<failed_call> failed = write_to(file_.number(), path_, bytes);
    if (!failed)
      failed =
          attempt(file_operation::sync, path_, [&] { return error_of([&] { return ::fdatasync(file_.number()); }); });
    if (failed)
      (void)cut();
    else
      size_ += bytes.size();
    return failed;
  }

  /// Takes away what stands behind its size, also from the disk.
  std::optional<failed_call> cut_durably() {
    std::optional<failed_call> failed = cut();
    if (failed) return failed;
    return attempt(file_operation::sync, path_, [&] { return error_of([&] { return ::fsync(file_.number()); }); });
  }

 private:
  std::optional<failed_call> cut() {
    return attempt(file_operation::truncate, path_,
                   [&] { return error_of([&] { return ::ftruncate(file_.number(), static_cast<::off_t>(size_)); }); });
  }

  std::string path_;
  std::size_t size_;
  file_handle file_;
};

}  // namespace etlantic::detail
