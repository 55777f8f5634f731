#pragma once
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace etlantic {

/// Where texts that are made lie until the next `clear`. Texts do not move while others are added, and a room that was
/// large enough once allocates no more.
class text_room {
 public:
  text_room() = default;
  text_room(text_room&&) noexcept = default;
  text_room& operator=(text_room&&) noexcept = default;
  text_room(const text_room&) {}  // views point into the room that they were made in
  text_room& operator=(const text_room&) { return *this; }

  void clear() {
    if (pieces_.size() > 1) {
      std::size_t size = 0;
      for (const piece& each : pieces_) size += each.size;
      pieces_.clear();
      add(size);
    }
    used_ = 0;
  }

  /// Room for at most `most` bytes, valid up to the next call of a function.
  char* begin(std::size_t most) {
    if (pieces_.empty() || pieces_.back().size - used_ < most) {
      add(most > smallest_piece ? most : smallest_piece);
      used_ = 0;
    }
    return pieces_.back().bytes.get() + used_;
  }

  /// Keeps the bytes from `begin` to `end`.
  std::string_view keep(const char* begin, const char* end) {
    const auto size = static_cast<std::size_t>(end - begin);
    used_ += size;
    return {begin, size};
  }

 private:
  static constexpr std::size_t smallest_piece = 4096;

  struct piece {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };

  void add(std::size_t size) { pieces_.push_back({std::unique_ptr<char[]>(new char[size]), size}); }

  std::vector<piece> pieces_;
  std::size_t used_ = 0;  // of the last piece
};

}  // namespace etlantic
