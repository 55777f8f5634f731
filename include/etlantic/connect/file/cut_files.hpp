#pragma once
#include <etlantic/connect/file/source_file.hpp>
#include <etlantic/runtime/source.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace etlantic::detail {

/// Files that are read in pieces: the one at hand stays open, since opening it for each piece takes as long as reading
/// some hundred lines. May be asked from any thread.
class cut_files {
 public:
  /// Pieces of a file up to `end` will be read, in their order.
  void add(const std::string& path, std::int64_t end) {
    const std::lock_guard guard(lock_);
    ends_.insert_or_assign(path, end);
    open_ = nullptr;  // who cuts a file again may find another one there
  }

  result<std::shared_ptr<const source_file>> file_of(const split_range& piece) {
    {
      const std::lock_guard guard(lock_);
      if (open_ != nullptr && open_->path() == piece.split && open_->size() >= piece.end) return keep(open_, piece);
    }
    auto file = source_file::open(piece.split);
    if (!file) return file.error();
    const std::lock_guard guard(lock_);
    return keep(std::make_shared<const source_file>(std::move(*file)), piece);
  }

 private:
  /// Until the last piece. Under the lock.
  std::shared_ptr<const source_file> keep(std::shared_ptr<const source_file> file, const split_range& piece) {
    const auto end = ends_.find(piece.split);
    if (end == ends_.end()) return file;
    open_ = file;
    if (piece.end >= end->second) {
      ends_.erase(end);
      open_ = nullptr;
    }
    return file;
  }

  std::mutex lock_;
  std::map<std::string, std::int64_t> ends_;  // of what was cut, and is not yet read
  std::shared_ptr<const source_file> open_;
};

}  // namespace etlantic::detail
