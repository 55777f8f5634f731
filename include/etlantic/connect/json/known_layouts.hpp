#pragma once
#include <etlantic/connect/json/fast_rows.hpp>
#include <etlantic/connect/json/learn_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// The layouts of the latest kinds of lines, the one of the line before first.
class known_layouts {
 public:
  static constexpr std::size_t most = 4;

  known_layouts(encoding_check& encoding, value_writer& writer) : rows_(encoding, writer) {}

  /// Tries the row at `at` as the next one of `into`; on success `at` is at the end of its line.
  bool decode(block& into, const char*& at, const char* end) {
    is_new_ = true;
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
      const std::size_t tried = (current_ + i) % layouts_.size();
      switch (rows_.decode(layouts_[tried], into, into.rows, at, end)) {
        case fast_outcome::decoded: current_ = tried; return true;
        case fast_outcome::other_value: is_new_ = false; return false;
        case fast_outcome::other_layout: break;
      }
    }
    return false;
  }

  /// Looks at a valid row that `decode` did not know. `fast` is the number of rows that layouts have been good for:
  /// where lines all look different, it is seldom worth its time.
  void learn(std::string_view line, std::span<const seen_member> members, std::span<const field_description> fields,
             std::int64_t fast) {
    ++asked_;
    if (!is_new_ || learned_ > static_cast<std::int64_t>(most) + (fast + asked_) / 16) return;
    auto layout = learn_layout(line.data(), line.data() + line.size(), members, fields);
    if (!layout) return;
    ++learned_;
    if (layouts_.size() < most) {
      layouts_.push_back(std::move(*layout));
      current_ = layouts_.size() - 1;
    } else {
      current_ = (current_ + 1) % most;
      layouts_[current_] = std::move(*layout);
    }
  }

 private:
  fast_rows rows_;
  std::vector<row_layout> layouts_;
  std::size_t current_ = 0;
  std::int64_t learned_ = 0;
  std::int64_t asked_ = 0;
  bool is_new_ = true;
};

}  // namespace etlantic::detail
