#pragma once
#include <etlantic/core/result.hpp>

#include <string>
#include <utility>

namespace etlantic {

/// Who works on a checkpoint.
struct checkpoint_holder {
  bool held = false;
  std::string pid;  ///< of whoever took the lock last; empty if nobody did
};

/// Looks whether somebody holds the lock of a directory. A directory without one is held by nobody.
result<checkpoint_holder> holder_of_checkpoint(const std::string& directory);

/// The right to use a checkpoint directory: flock on `<directory>/lock`, given back when the object or the process
/// ends, however it ends. The file itself stays, because removing it would let two processes lock different files.
class checkpoint_lock {
 public:
  static result<checkpoint_lock> take(const std::string& directory);

  /// The same right once more: it is given back when the last of them ends.
  result<checkpoint_lock> share() const;

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
