#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/window.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace etlantic {

/// The open windows of a stage, oldest first, each with its groups.
template <class Table>
class window_panes {
 public:
  struct pane {
    kernel::window_bounds bounds;
    Table groups;
  };

  /// The pane of a window, opened if it is new. Stays where it is until it is closed.
  pane& at(kernel::window_bounds bounds) {
    const auto found = std::lower_bound(panes_.begin(), panes_.end(), bounds.start,
                                        [](const auto& each, std::int64_t start) { return each->bounds.start < start; });
    if (found != panes_.end() && (*found)->bounds.start == bounds.start) return **found;
    return **panes_.insert(found, std::make_unique<pane>(pane{bounds, {}}));
  }

  template <class Visit>
  void for_each(Visit&& visit) {
    for (const auto& each : panes_) visit(*each);
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& each : panes_) visit(static_cast<const pane&>(*each));
  }

  /// Forgets the windows that end at or before a watermark.
  void close(std::int64_t watermark) {
    std::erase_if(panes_, [&](const auto& each) { return each->bounds.end <= watermark; });
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
  std::vector<std::unique_ptr<pane>> panes_;
};

}  // namespace etlantic
