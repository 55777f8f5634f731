#pragma once
#include <etlantic/core/time.hpp>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace etlantic::detail {

/// Is told by the system when files of a folder appear or grow. Where it is not (network file systems, no watches
/// left), nobody misses anything that a look at the files does not find.
class changed_files {
 public:
  changed_files() = default;
  changed_files(const changed_files&) = delete;
  changed_files& operator=(const changed_files&) = delete;
  ~changed_files() {
    if (number_ >= 0) ::close(number_);
  }

  /// Waits for a change of a file, or of a file in a folder, or of what a pattern stands for. Nothing: it cannot be
  /// watched. True the first time, since nobody knows what happened before it was watched.
  std::optional<bool> await(const std::string& place, duration at_most) {
    if (number_ < 0) {
      if (!watch(place)) return std::nullopt;
      return true;
    }
    ::pollfd ready{number_, POLLIN, 0};
    const auto milliseconds = std::clamp<std::int64_t>(at_most.count() / 1000, 0, 1000);
    if (::poll(&ready, 1, static_cast<int>(milliseconds)) <= 0) return false;
    return take();
  }

 private:
  bool watch(const std::string& place) {
    std::error_code none;
    const bool is_folder = std::filesystem::is_directory(place, none);
    const std::size_t slash = place.find_last_of('/');
    std::string folder = slash == std::string::npos ? "." : place.substr(0, std::max<std::size_t>(slash, 1));
    if (is_folder)
      folder = place;
    else if (std::filesystem::exists(place, none))
      only_ = place.substr(slash == std::string::npos ? 0 : slash + 1);
    const int made = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (made < 0) return false;
    if (::inotify_add_watch(made, folder.c_str(), IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_ATTRIB) < 0) {
      ::close(made);
      return false;
    }
    number_ = made;
    return true;
  }

  /// Whether one of the changes that wait to be told is of a file that counts.
  bool take() const {
    bool found = false;
    alignas(inotify_event) char bytes[4096];
    for (::ssize_t size; (size = ::read(number_, bytes, sizeof bytes)) > 0;)
      for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
        inotify_event event;
        std::memcpy(&event, bytes + at, sizeof event);
        const char* name = bytes + at + sizeof event;
        found = found || only_.empty() || event.len == 0 || only_ == name;
        at += sizeof event + event.len;
      }
    return found;
  }

  int number_ = -1;
  std::string only_;  // of a folder the one file that counts; empty: all
};

}  // namespace etlantic::detail
