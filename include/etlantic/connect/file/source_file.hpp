#pragma once
#include <etlantic/connect/file/source_failure.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace etlantic::detail {

/// A regular file open for reading.
class source_file {
 public:
  static result<source_file> open(const std::string& path) {
    source_file file(path);
    // Without O_NONBLOCK the opening of a pipe would wait for its writer.
    do file.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while (file.descriptor_ < 0 && errno == EINTR);
    struct stat status{};
    if (file.descriptor_ < 0 || ::fstat(file.descriptor_, &status) != 0)
      return source_file_failure("open", path, errno);
    if (S_ISDIR(status.st_mode)) return unusable_source_file(path, "it is a directory");
    if (!S_ISREG(status.st_mode)) return unusable_source_file(path, "it is a pipe, socket or device");
    file.size_ = status.st_size;
    return file;
  }

  source_file(source_file&& other) noexcept
      : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}
  source_file& operator=(source_file&&) = delete;
  ~source_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }

  /// Exactly `count` bytes from `place` on; that there are fewer means that the file was cut.
  result<void> read(std::int64_t place, std::byte* into, std::size_t count) const {
    while (count > 0) {
      const ssize_t got = ::pread(descriptor_, into, count, place);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return source_file_failure("read", path_, errno);
      if (got == 0) return shrunken_source_file(path_, place, place + static_cast<std::int64_t>(count));
      into += got;
      place += got;
      count -= static_cast<std::size_t>(got);
    }
    return {};
  }

 private:
  explicit source_file(std::string path) : path_(std::move(path)) {}

  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace etlantic::detail
