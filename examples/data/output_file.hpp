#pragma once
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace orders {

/// What the machine refused: a full disk, a folder that does not exist. The message is a sentence for the user.
struct output_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that appears under its name only when it is whole: written beside it, and renamed by `publish`.
class output_file {
 public:
  explicit output_file(const std::filesystem::path& target) : target_(target), written_to_(target) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(target, ignored).type();
    // A pipe or a device is written in place: a rename would put a plain file where /dev/null was.
    renames_ = kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::regular;
    if (renames_) {
      if (std::filesystem::is_symlink(target, ignored)) target_ = std::filesystem::weakly_canonical(target, ignored);
      written_to_ = target_;
      written_to_ += ".partial";
    }
    errno = 0;
    file_ = std::fopen(written_to_.string().c_str(), "wb");
    if (file_ == nullptr) fail("create");
    buffer_.reserve(flush_at + 4096);
  }

  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  ~output_file() {
    if (file_ != nullptr) std::fclose(file_);
    std::error_code ignored;
    if (renames_ && !published_) std::filesystem::remove(written_to_, ignored);
  }

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= flush_at) flush();
  }

  /// All bytes are with the operating system, or this throws: many a full disk is only told when a file is closed.
  void close() {
    flush();
    errno = 0;
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("write");
  }

  void publish() {
    if (file_ != nullptr) close();
    if (!renames_) return;
    std::error_code problem;
    std::filesystem::rename(written_to_, target_, problem);
    if (problem) throw output_failure("cannot name the file " + target_.string() + ": " + problem.message());
    published_ = true;
  }

 private:
  static constexpr std::size_t flush_at = std::size_t{1} << 20;

  void flush() {
    errno = 0;
    const bool complete = std::fwrite(buffer_.data(), 1, buffer_.size(), file_) == buffer_.size();
    if (!complete || std::fflush(file_) != 0) fail("write");
    buffer_.clear();
  }

  [[noreturn]] void fail(std::string_view action) {
    const int problem = errno;
    std::string message = "cannot ";
    message += action;
    message += " the file " + target_.string();
    if (problem != 0) message += ": " + std::generic_category().message(problem);
    throw output_failure(message);
  }

  std::filesystem::path target_;
  std::filesystem::path written_to_;
  std::FILE* file_ = nullptr;
  std::string buffer_;
  bool renames_ = false;
  bool published_ = false;
};

}  // namespace orders
