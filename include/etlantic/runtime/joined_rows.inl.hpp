#pragma once
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/kernel/lanes.hpp>
#include <etlantic/runtime/join_state.inl.hpp>
#include <etlantic/runtime/joined_rows.hpp>

#include <algorithm>

namespace etlantic {

[[gnu::used]] inline const block& joined_rows::rows_of(const std::array<join_state, 2>& waiting) {
  if (rows_.rows == pairs_.size()) return rows_;  // nothing was dropped
  rows_.clear();
  const auto gather_side = [&](const join_state& from, std::uint32_t pair::* row, std::size_t first, std::size_t end) {
    places_.clear();
    for (const pair& each : pairs_)
      places_.push_back(each.*row == join_state::none ? row_place{} : from.place_of(each.*row));
    for (std::size_t i = first; i < end; ++i) gather(rows_.columns[i], places_, i - first);
  };
  const std::size_t present = rows_.columns.size() - 2;
  gather_side(waiting[0], &pair::left_row, 0, left_columns_);
  gather_side(waiting[1], &pair::right_row, left_columns_, present);
  rows_.columns[present].resize(pairs_.size());
  rows_.columns[present + 1].resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    rows_.columns[present].set_bool(i, pairs_[i].left_row != join_state::none);
    rows_.columns[present + 1].set_bool(i, pairs_[i].right_row != join_state::none);
  }
  rows_.rows = pairs_.size();
  return rows_;
}

[[gnu::used]] inline void joined_rows::mark_matched(std::array<join_state, 2>& waiting) const {
  for (const pair& each : pairs_) {
    if (each.left_row == join_state::none || each.right_row == join_state::none) continue;
    waiting[0].mark_matched(each.left_row);
    waiting[1].mark_matched(each.right_row);
  }
}

[[gnu::used]] inline const block& joined_rows::left_rows(std::array<join_state, 2>& waiting, bool matched,
                                                         std::vector<std::uint32_t>& found) {
  places_.clear();
  for (const pair& each : pairs_) {
    const bool is_lone = each.right_row == join_state::none;
    if (!is_lone && waiting[0].has_matched(each.left_row)) continue;
    if (!is_lone) {
      waiting[0].mark_matched(each.left_row);
      found.push_back(each.left_row);
    }
    if (is_lone != matched) places_.push_back(waiting[0].place_of(each.left_row));
  }
  left_rows_.clear();
  for (std::size_t i = 0; i < left_rows_.columns.size(); ++i) gather(left_rows_.columns[i], places_, i);
  left_rows_.rows = places_.size();
  return left_rows_;
}

[[gnu::used]] inline void joined_rows::clear(std::array<join_state, 2>& waiting) {
  for (const auto& [side, row] : going_) waiting[static_cast<std::size_t>(side)].remove(row);
  going_.clear();
  pairs_.clear();
  bytes_ = 0;
  rows_.clear();
}

[[gnu::used]] inline std::uint64_t joined_rows::complete(std::size_t begin) const {
  std::uint64_t bits = 0;
  const std::size_t count = std::min(kernel::lane_count, pairs_.size() - begin);
  for (std::size_t i = 0; i < count; ++i) {
    const pair& of = pairs_[begin + i];
    bits |= std::uint64_t{of.left_row != join_state::none && of.right_row != join_state::none} << i;
  }
  return bits;
}

[[gnu::used]] inline void joined_rows::keep_of_chunk(std::size_t begin, std::uint64_t which) {
  if (begin == 0) kept_ = 0;
  kernel::for_each_lane(which, [&](std::size_t row) { pairs_[kept_++] = pairs_[begin + row]; });
}

[[gnu::used]] inline void joined_rows::drop_others() { pairs_.resize(kept_); }

}  // namespace etlantic
