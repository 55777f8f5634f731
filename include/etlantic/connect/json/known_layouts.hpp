#pragma once
#include <etlantic/connect/json/layout_rows.hpp>
#include <etlantic/connect/json/row_layout.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// The layouts of the latest kinds of lines, the most useful one first.
class known_layouts {
 public:
  static constexpr std::size_t most = 4;

  explicit known_layouts(column_batch& batch) : rows_(batch) {}

  /// As layout_rows::decode, with all layouts one after the other. Where they fit hardly any line, they are tried less
  /// and less often.
  std::uint64_t decode(const line_index& lines, std::size_t first_line, std::uint64_t wanted, block& into,
                       std::size_t row) {
    if (pause_left_ > 0) {
      --pause_left_;
      return 0;
    }
    const auto asked = std::popcount(wanted);
    std::uint64_t decoded = 0;
    for (std::size_t i = 0; i < layouts_.size() && wanted != 0; ++i) {
      const std::uint64_t here = rows_.decode(layouts_[i], lines, first_line, wanted, decoded != 0, into, row);
      decoded |= here;
      wanted &= ~here;
      // A layout that most lines have is tried first.
      if (i > 0 && std::popcount(here) * 2 > asked) std::swap(layouts_[i], layouts_[0]);
    }
    const auto fitted = std::popcount(decoded);
    good_for_ += fitted;
    pause_ = fitted * 8 >= asked ? 0 : std::min(2 * pause_ + 1, longest_pause);
    pause_left_ = pause_;
    return decoded;
  }

  /// Whether it is worth while to learn from one of some lines that none of the layouts fits: where lines all look
  /// different, it seldom is.
  bool wants_more(std::uint64_t lines) {
    asked_ += std::popcount(lines);
    return lines != 0 && learned_ < static_cast<std::int64_t>(most) + good_for_ / 16 + asked_ / 4096;
  }

  /// Looks at a valid line that is not odd.
  void learn(std::string_view line, std::span<const seen_member> members, std::span<const value_plan> plans) {
    ++learned_;
    auto layout = layout_learner(line, plans).learn(members);
    if (!layout) return;
    if (layouts_.size() < most) {
      layouts_.push_back(std::move(*layout));
    } else {
      // The first one stays: it is the one in use.
      next_ = next_ % (most - 1) + 1;
      layouts_[next_] = std::move(*layout);
    }
  }

 private:
  static constexpr int longest_pause = 31;

  layout_rows rows_;
  std::vector<row_layout> layouts_;
  std::size_t next_ = 0;
  std::int64_t learned_ = 0;
  std::int64_t asked_ = 0;
  std::int64_t good_for_ = 0;
  int pause_ = 0;  // calls of `decode` without a try after the last one that was in vain
  int pause_left_ = 0;
};

}  // namespace etlantic::detail
