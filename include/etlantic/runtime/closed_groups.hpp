#pragma once
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/aggregate_settings.hpp>
#include <etlantic/runtime/window_panes.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace etlantic {

/// Which groups no later row can change any more: those behind the watermark.
template <class Table>
struct closed_groups {
  using pane = typename window_panes<Table>::pane;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  const aggregate_settings& settings;
  std::int64_t watermark;  // microseconds

  template <class Group>
  bool contains(kernel::window_bounds window, const Group& group) const {
    return closes_at(window, group) <= watermark;
  }

  /// The watermark that closes a group.
  template <class Group>
  std::int64_t closes_at(kernel::window_bounds window, const Group& group) const {
    if (settings.late_by == lateness::window) return window.end;
    if (settings.late_by == lateness::row_time) return time_of_key(group, key_indices{});
    return never;
  }

  void remove_from(window_panes<Table>& panes) const {
    // Windows of a calendar end where they did when they were opened, though the rules of their zone may have changed.
    if (settings.calendar != nullptr && settings.late_by == lateness::window) return panes.close_ended(watermark);
    if (settings.late_by == lateness::window) panes.close(closed_windows());
    if (settings.late_by == lateness::row_time)
      panes.for_each([&](pane& each) {
        each.groups.remove_if([&](const auto& group) { return time_of_key(group, key_indices{}) <= watermark; });
      });
  }

  /// The windows that the watermark closed.
  kernel::closed_windows closed_windows() const {
    if (settings.late_by != lateness::window) return {};
    return settings.closed_up_to(watermark);
  }

 private:
  using key_indices = std::make_index_sequence<Table::key_count>;

  template <class Group, std::size_t... K>
  std::int64_t time_of_key(const Group& group, std::index_sequence<K...>) const {
    std::int64_t time = never;
    const auto look = [&](std::size_t index, const auto& part) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part.value)>, std::int64_t>)
        if (index == settings.time_key && !part.is_null) time = part.value;
    };
    (look(K, boost::hana::at_c<K>(group.key)), ...);
    static_cast<void>(look);
    return time;
  }
};

}  // namespace etlantic
