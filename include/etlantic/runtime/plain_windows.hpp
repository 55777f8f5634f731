#pragma once
#include <etlantic/core/output_mode.hpp>
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/window_panes.hpp>

#include <cstddef>
#include <cstdint>

namespace etlantic {

/// Which windows have results in a batch.
struct due_windows {
  output_mode mode;
  kernel::closed_windows done;    // before the batch
  kernel::closed_windows closed;  // by now
};

/// The windows of a stage whose panes are windows: tumbling ones, or the only one of a stage without windows.
template <class Table>
class plain_windows {
 public:
  explicit plain_windows(const kernel::window_grid&) {}

  /// Visits windows with the bounds and the groups of each, earliest first; among them all that are due.
  template <class Visit>
  void for_each(window_panes<Table>& panes, const due_windows&, Visit&& visit) {
    panes.for_each([&](const auto& each) { visit(each.bounds, each.groups); });
  }

  /// How many windows that are not `done` have groups.
  std::int64_t count(const window_panes<Table>& panes, const kernel::closed_windows&) const {
    return static_cast<std::int64_t>(panes.count());
  }

  /// Forgets what was kept of panes besides them.
  void forget() {}
  std::size_t bytes() const { return 0; }
};

}  // namespace etlantic
