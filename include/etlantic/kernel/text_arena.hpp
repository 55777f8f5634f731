#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace etlantic::kernel {

/// Keeps copies of texts that stay where they are, until all of them go.
class text_arena {
 public:
  std::string_view keep(std::string_view text) {
    if (text.empty()) return {};
    if (text.size() > left_) {
      const std::size_t size = std::max(text.size(), std::min(bytes_ + 64, largest_piece));
      pieces_.push_back(std::make_shared_for_overwrite<char[]>(size));
      next_ = pieces_.back().get();
      left_ = size;
      bytes_ += size;
    }
    char* place = next_;
    std::memcpy(place, text.data(), text.size());
    next_ += text.size();
    left_ -= text.size();
    return {place, text.size()};
  }

  /// Holds the texts of now, without copying them: a piece is never written over. It can be read while this one grows.
  text_arena share() const {
    text_arena made;
    made.pieces_ = pieces_;
    made.bytes_ = bytes_;
    return made;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t largest_piece = std::size_t{1} << 20;

  std::vector<std::shared_ptr<char[]>> pieces_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace etlantic::kernel
