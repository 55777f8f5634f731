#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace etlantic {

/// Bytes that will be worked on next. They are fetched into the cache in small steps while others are worked on:
/// fetched all at once, each would be waited for. They are never read, so that they need not be readable.
class bytes_ahead {
 public:
  static constexpr std::size_t line = 64;  // of the cache

  bytes_ahead() = default;
  explicit bytes_ahead(std::string_view bytes) : at_(bytes.data()), left_(bytes.size()) {}

  bool empty() const { return left_ == 0; }

  /// As many of the next bytes or a few more, into the second level: they would crowd the first one.
  [[gnu::always_inline]] void fetch(std::size_t count) {
    count = std::min((count + line - 1) / line * line, left_);
    for (std::size_t place = 0; place < count; place += line) __builtin_prefetch(at_ + place, 0, 2);
    at_ += count;
    left_ -= count;
  }

 private:
  const char* at_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace etlantic
