#pragma once
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/kernel/lanes.hpp>
#include <etlantic/runtime/join_state.inl.hpp>
#include <etlantic/runtime/looked_up_rows.hpp>

#include <algorithm>

namespace etlantic {

[[gnu::used]] inline const block& looked_up_rows::rows_of(const block& from, const join_state& reference) {
  if (rows_.rows == pairs_.size()) return rows_;  // nothing was dropped
  rows_.clear();
  const std::size_t present = rows_.columns.size() - 2;
  places_.clear();
  for (const pair& each : pairs_) places_.push_back({&from, each.row});
  for (std::size_t i = 0; i < left_columns_; ++i) gather(rows_.columns[i], places_, i);
  places_.clear();
  for (const pair& each : pairs_)
    places_.push_back(each.found == join_state::none ? row_place{} : reference.place_of(each.found));
  for (std::size_t i = left_columns_; i < present; ++i) gather(rows_.columns[i], places_, i - left_columns_);
  rows_.columns[present].resize(pairs_.size());
  rows_.columns[present + 1].resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    rows_.columns[present].set_bool(i, true);
    rows_.columns[present + 1].set_bool(i, pairs_[i].found != join_state::none);
  }
  rows_.rows = pairs_.size();
  return rows_;
}

[[gnu::used]] inline void looked_up_rows::clear() {
  pairs_.clear();
  bytes_ = 0;
  rows_.clear();
}

[[gnu::used]] inline std::uint64_t looked_up_rows::complete(std::size_t begin) const {
  std::uint64_t bits = 0;
  const std::size_t count = std::min(kernel::lane_count, pairs_.size() - begin);
  for (std::size_t i = 0; i < count; ++i) bits |= std::uint64_t{pairs_[begin + i].found != join_state::none} << i;
  return bits;
}

[[gnu::used]] inline void looked_up_rows::keep_of_chunk(std::size_t begin, std::uint64_t which) {
  if (begin == 0) kept_ = 0;
  kernel::for_each_lane(which, [&](std::size_t row) { pairs_[kept_++] = pairs_[begin + row]; });
}

}  // namespace etlantic
