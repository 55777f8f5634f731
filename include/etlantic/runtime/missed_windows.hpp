#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/kernel/window.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace etlantic {

/// Windows of one step, as start and end, each once.
class window_set {
 public:
  bool add(kernel::window_bounds window) { return windows_.emplace(window.start, window.end).second; }
  bool contains(kernel::window_bounds window) const { return windows_.contains({window.start, window.end}); }
  std::size_t size() const { return windows_.size(); }
  auto begin() const { return windows_.begin(); }
  auto end() const { return windows_.end(); }

 private:
  std::set<std::pair<std::int64_t, std::int64_t>> windows_;
};

/// Windows that late rows have missed and that a correction run is to compute again, by the name of their step.
class missed_windows {
 public:
  /// The windows that a block of rows of late<C> names.
  void add_late(const std::string& step, const block& late_rows) {
    window_set& windows = by_step_[step];
    for (std::size_t row = 0; row < late_rows.rows; ++row)
      windows.add({late_rows.columns[2].value<std::int64_t>(row), late_rows.columns[3].value<std::int64_t>(row)});
  }
  void add(const std::string& step, kernel::window_bounds window) { by_step_[step].add(window); }
  void add(const missed_windows& others) {
    for (const auto& [step, windows] : others.by_step_)
      for (const auto& [start, end] : windows) add(step, {start, end});
  }

  const window_set& of(const std::string& step) const {
    static const window_set none;
    const auto found = by_step_.find(step);
    return found == by_step_.end() ? none : found->second;
  }
  std::size_t size() const {
    std::size_t sum = 0;
    for (const auto& [step, windows] : by_step_) sum += windows.size();
    return sum;
  }
  bool empty() const { return size() == 0; }
  void clear() { by_step_.clear(); }
  const std::map<std::string, window_set>& by_step() const { return by_step_; }

 private:
  std::map<std::string, window_set> by_step_;
};

}  // namespace etlantic
