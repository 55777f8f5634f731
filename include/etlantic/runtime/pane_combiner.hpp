#pragma once
#include <etlantic/core/integer128.hpp>
#include <etlantic/runtime/window_panes.hpp>

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

namespace etlantic {

/// Merges the panes of one window after the other, each of which starts behind the one before.
///
/// Two stacks: a window is one of the suffixes of the panes that a window before had, which were merged from their end
/// on at once, and what came behind them since. So a window costs about three merges however many panes it has. Where
/// the grouping of merges shows, as in sums of floating point, all panes are merged one by one in the order of time:
/// the results then depend on nothing but the panes.
template <class Table>
class pane_combiner {
 public:
  using pane = typename window_panes<Table>::pane;

  /// The groups of the panes that start in [start, end); there is at least one. The next window starts at or behind
  /// `next_start`. Good until the next call, and as long as the panes stay.
  const Table& groups_of(const window_panes<Table>& panes, int128 start, int128 end, int128 next_start) {
    const auto inside = panes.between(start, end);
    if (inside.size() == 1) return inside.front()->groups;
    if (!Table::regroups || inside.size() <= most_merged_anew) return merged_anew(inside);
    while (!front_.empty() && front_.back().start < start) front_.pop_back();
    const int128 covered = std::exchange(covered_until_, end);
    if (front_.empty()) {
      if (patience_ > 0) return --patience_, merged_anew(inside);
      turn(inside);
    } else
      for (const auto& each : panes.between(covered, end)) back_.merge(each->groups);
    if (back_.size() == 0) return front_.back().groups;
    if (front_.back().start < next_start) {
      merged_ = std::move(front_.back().groups);
      front_.pop_back();
    } else
      merged_ = front_.back().groups.copy();
    merged_.merge(back_);
    return merged_;
  }

  /// Whether panes that start here have been merged already; when they change, `panes_changed` must be called.
  bool covers(std::int64_t pane_start) const { return pane_start < covered_until_; }

  void panes_changed() {
    reset();
    patience_ = windows_before_stacks;
  }
  void reset() {
    front_.clear();
    back_ = {};
    merged_ = {};
    covered_until_ = nothing_covered;
    patience_ = 0;
  }

  std::size_t bytes() const {
    std::size_t sum = back_.bytes() + merged_.bytes();
    for (const suffix& each : front_) sum += each.groups.bytes();
    return sum;
  }

 private:
  struct suffix {
    std::int64_t start;  // of its first pane
    Table groups;
  };
  using panes_inside = std::span<const std::unique_ptr<pane>>;

  static constexpr std::size_t most_merged_anew = 4;
  /// Stacks cost as much as merging anew for some windows. Where panes changed under the last ones, they are not made
  /// before so many windows have passed in peace.
  static constexpr int windows_before_stacks = 3;
  static constexpr int128 nothing_covered = -kernel::closed_windows::beyond_all_times;

  const Table& merged_anew(panes_inside inside) {
    merged_ = inside.front()->groups.copy();
    for (const auto& each : inside.subspan(1)) merged_.merge(each->groups);
    return merged_;
  }

  void turn(panes_inside inside) {
    back_ = {};
    for (const auto& each : inside | std::views::reverse) {
      Table groups = each->groups.copy();
      if (!front_.empty()) groups.merge(front_.back().groups);
      front_.push_back({each->bounds.start, std::move(groups)});
    }
  }

  std::vector<suffix> front_;  // the longest last
  Table back_;
  Table merged_;
  int128 covered_until_ = nothing_covered;
  int patience_ = 0;
};

}  // namespace etlantic
