#pragma once
#include <etlantic/core/result.hpp>

#include <string>
#include <utility>

namespace etlantic {

/// The right to use a checkpoint directory: flock on `<directory>/lock`, given back when the object or the process
/// ends, however it ends. The file itself stays, because removing it would let two processes lock different files.
class checkpoint_lock {
 public:
  static result<checkpoint_lock> take(const std::string& directory);

  checkpoint_lock(checkpoint_lock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  checkpoint_lock& operator=(checkpoint_lock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~checkpoint_lock() { release(); }

 private:
  void release();

  explicit checkpoint_lock(int file) : file_(file) {}

  int file_ = -1;
};

}  // namespace etlantic
