#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace etlantic {

/// One text value of a column, laid out as Arrow's string view: up to 12 bytes stand in it, longer text is a prefix
/// and a place in one of the column's buffers.
struct text_view {
  struct long_text {
    char prefix[4];
    std::int32_t buffer;
    std::int32_t offset;
  };

  std::int32_t size = 0;
  union {
    char characters[12] = {};
    long_text place;
  };

  bool is_inline() const { return size <= 12; }

  static text_view of_inline(std::string_view text) {
    text_view view;
    view.size = static_cast<std::int32_t>(text.size());
    if (!text.empty()) std::memcpy(view.characters, text.data(), text.size());  // data() of an empty view may be null
    return view;
  }

  static text_view of_place(std::string_view text, std::int32_t buffer, std::int32_t offset) {
    text_view view;
    view.size = static_cast<std::int32_t>(text.size());
    std::memcpy(view.place.prefix, text.data(), 4);
    view.place.buffer = buffer;
    view.place.offset = offset;
    return view;
  }
};
static_assert(sizeof(text_view) == 16);

}  // namespace etlantic
