#pragma once
#include <etlantic/connect/file/source_file.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etlantic::detail {

/// A file's pages in the memory of this process, a window at a time, for fetching them into the cache before they are
/// copied by `read`: most of the time of a copy from memory is waiting for it. The pages are never looked at, so that a
/// file that is cut meanwhile does no harm. Where pages are not in memory yet, there is nothing to fetch.
class mapped_ahead {
 public:
  static constexpr std::int64_t window_bytes = std::int64_t{2} << 20;

  /// Of the bytes before `end`.
  mapped_ahead(const source_file& file, std::int64_t end) : file_(file), end_(end) {}
  mapped_ahead(const mapped_ahead&) = delete;
  mapped_ahead& operator=(const mapped_ahead&) = delete;
  ~mapped_ahead() { unmap(); }

  /// Where up to `count` bytes from `begin` on lie, or nothing. Begins go up.
  std::string_view bytes(std::int64_t begin, std::int64_t count) {
    count = std::min(count, end_ - begin);
    if (count <= 0 || (begin + count > window_end_ && !map(begin))) return {};
    return {window_ + (begin - window_begin_), static_cast<std::size_t>(count)};
  }

 private:
  // Every size of a page divides it.
  static constexpr std::int64_t boundary = 64 << 10;

  bool map(std::int64_t place) {
    unmap();
    const std::int64_t begin = place / boundary * boundary;
    const std::int64_t end = std::min(begin + window_bytes, end_);
    if (!file_.is_cached(end - 1)) return false;
    void* const mapped = ::mmap(nullptr, static_cast<std::size_t>(end - begin), PROT_READ, MAP_SHARED | MAP_POPULATE,
                                file_.descriptor(), begin);
    if (mapped == MAP_FAILED) return false;
    window_ = static_cast<const char*>(mapped);
    window_begin_ = begin;
    window_end_ = end;
    return true;
  }

  void unmap() {
    if (window_ == nullptr) return;
    ::munmap(const_cast<char*>(window_), static_cast<std::size_t>(window_end_ - window_begin_));
    window_ = nullptr;
    window_end_ = 0;
  }

  const source_file& file_;
  std::int64_t end_;
  const char* window_ = nullptr;
  std::int64_t window_begin_ = 0;
  std::int64_t window_end_ = 0;
};

}  // namespace etlantic::detail
