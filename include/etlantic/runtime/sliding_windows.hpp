#pragma once
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/pane_combiner.hpp>
#include <etlantic/runtime/plain_windows.hpp>
#include <etlantic/runtime/window_panes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace etlantic {

/// The windows of a stage whose windows slide: made of panes when results are due.
template <class Table>
class sliding_windows {
 public:
  using panes = window_panes<Table>;

  explicit sliding_windows(const kernel::window_grid& grid) : grid_(grid) {}

  /// Visits the windows that are due with their groups, earliest first.
  template <class Visit>
  void for_each(panes& from, const due_windows& due, Visit&& visit) {
    const bool append = due.mode == output_mode::append;
    forget_touched(from);
    const std::vector<std::int64_t> starts = starts_of(from, due.mode == output_mode::update);
    for (auto start = first_from(starts, due.done.starts_before); start;) {
      if (append && !due.closed.contains(*start)) break;
      const int128 next = *start + grid_.slide;
      visit(kernel::bounded_window(*start, grid_.length),
            combiner_.groups_of(from, *start, *start + grid_.length, next));
      start = first_from(starts, next);
    }
    if (!append) forget();  // groups count as changed in one batch only
    from.for_each([](auto& each) { each.touched = false; });
  }

  /// How many windows that are not `done` have groups.
  std::int64_t count(const panes& from, const kernel::closed_windows& done) const {
    std::int64_t sum = 0;
    int128 next = done.starts_before;
    from.for_each([&](const auto& each) {
      const int128 first = std::max(next, grid_.first_start(each.bounds.start));
      const int128 last = grid_.last_start(each.bounds.start);
      if (first > last) return;
      sum += static_cast<std::int64_t>((last - first) / grid_.slide) + 1;
      next = last + grid_.slide;
    });
    return sum;
  }

  void forget() { combiner_.reset(); }

  std::size_t bytes() const { return combiner_.bytes(); }

 private:
  /// What was merged for the windows before helps with those to come, if none of its panes has new rows.
  void forget_touched(const panes& from) {
    bool touched = false;
    from.for_each([&](const auto& each) { touched |= each.touched && combiner_.covers(each.bounds.start); });
    if (touched) combiner_.panes_changed();
  }

  static std::vector<std::int64_t> starts_of(const panes& from, bool touched_only) {
    std::vector<std::int64_t> starts;
    from.for_each([&](const auto& each) {
      if (each.touched || !touched_only) starts.push_back(each.bounds.start);
    });
    return starts;
  }

  /// The first window that starts there or later and has one of the panes.
  std::optional<int128> first_from(const std::vector<std::int64_t>& pane_starts, int128 from) const {
    const auto pane = std::lower_bound(pane_starts.begin(), pane_starts.end(), from);
    if (pane == pane_starts.end()) return std::nullopt;
    return std::max(from, grid_.first_start(*pane));
  }

  kernel::window_grid grid_;
  pane_combiner<Table> combiner_;
};

}  // namespace etlantic
