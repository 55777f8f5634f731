#pragma once
#include <cstddef>

namespace etlantic {

/// From which split the rows come that are on their way through the stages, as a number of this batch; 0 is none. A
/// stage that holds rows back keeps the number with them and moves back to it when it hands them on.
class split_cursor {
 public:
  virtual ~split_cursor() = default;

  std::size_t at() const { return at_; }
  void move_to(std::size_t split) {
    if (split == at_) return;
    leave(at_);
    at_ = split;
  }

 private:
  /// Rows of another split follow: what stages have seen so far is of this one.
  virtual void leave(std::size_t split) = 0;

  std::size_t at_ = 0;
};

}  // namespace etlantic
