#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/window.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace etlantic {

/// The panes of the open windows of a stage, oldest first, each with its groups. A tumbling window is one pane.
template <class Table>
class window_panes {
 public:
  struct pane {
    kernel::window_bounds bounds;
    Table groups;
    bool touched = false;  // rows came since the last results
  };

  /// The pane with these bounds, opened if it is new. Stays where it is until it is closed.
  pane& at(kernel::window_bounds bounds) {
    const auto found = first_from(bounds.start);
    if (found != panes_.end() && (*found)->bounds.start == bounds.start) return **found;
    return **panes_.insert(found, std::make_unique<pane>(pane{bounds, {}, false}));
  }

  template <class Visit>
  void for_each(Visit&& visit) {
    for (const auto& each : panes_) visit(*each);
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& each : panes_) visit(static_cast<const pane&>(*each));
  }

  /// The panes that start in [start, end), oldest first.
  std::span<const std::unique_ptr<pane>> between(int128 start, int128 end) const {
    return {first_from(start), first_from(end)};
  }

  /// Forgets the panes whose windows are all closed.
  void close(const kernel::closed_windows& closed) {
    std::erase_if(panes_, [&](const auto& each) { return closed.covers(each->bounds.start); });
  }

  /// Forgets the panes that are windows themselves and end at or before a time.
  void close_ended(std::int64_t time) {
    std::erase_if(panes_, [&](const auto& each) { return each->bounds.end <= time; });
  }

  std::size_t count() const { return panes_.size(); }

  void save(state_writer& into) const {
    into.put(static_cast<std::uint64_t>(panes_.size()));
    for (const auto& each : panes_) {
      into.put(each->bounds);
      each->groups.save(into);
    }
  }
  void restore(state_reader& from) {
    panes_.clear();
    const auto count = from.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
      const auto bounds = from.get<kernel::window_bounds>();
      at(bounds).groups.restore(from);
    }
  }

 private:
  auto first_from(int128 start) const {
    return std::lower_bound(panes_.begin(), panes_.end(), start,
                            [](const auto& each, int128 from) { return each->bounds.start < from; });
  }

  std::vector<std::unique_ptr<pane>> panes_;
};

}  // namespace etlantic
