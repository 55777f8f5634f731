#pragma once
#include <etlantic/connect/json/validate.hpp>

#include <cstdint>
#include <string_view>

namespace etlantic::detail {

/// Whether lines are UTF-8. No sequence of UTF-8 contains a line feed, so if all of the bytes are valid, all of their
/// lines are: that is asked once, when it first matters, and mostly settles it.
class encoding_check {
 public:
  void begin(std::string_view bytes, bool is_ascii = false) {
    bytes_ = bytes;
    state_ = is_ascii ? state::utf8 : state::unknown;
  }

  bool is_all_utf8() {
    if (state_ == state::unknown) state_ = is_utf8_text(bytes_) ? state::utf8 : state::damaged;
    return state_ == state::utf8;
  }

  bool is_utf8_line(std::string_view line) { return is_all_utf8() || is_utf8_text(line); }

 private:
  enum class state : std::uint8_t { unknown, utf8, damaged };

  std::string_view bytes_;
  state state_ = state::unknown;
};

}  // namespace etlantic::detail
