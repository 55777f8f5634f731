#pragma once
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/aggregate_settings.hpp>
#include <etlantic/runtime/window_panes.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace etlantic {

/// Which groups no later row can change any more: those behind the watermark.
template <class Table>
struct closed_groups {
  using pane = typename window_panes<Table>::pane;

  const aggregate_settings& settings;
  std::int64_t watermark;  // microseconds

  template <class Group>
  bool contains(const pane& each, const Group& group) const {
    if (settings.late_by == lateness::window) return each.bounds.end <= watermark;
    if (settings.late_by == lateness::row_time) return key_time_passed(group, key_indices{});
    return false;
  }

  void remove_from(window_panes<Table>& panes) const {
    if (settings.late_by == lateness::window) panes.close(watermark);
    if (settings.late_by == lateness::row_time)
      panes.for_each([&](pane& each) {
        each.groups.remove_if([&](const auto& group) { return key_time_passed(group, key_indices{}); });
      });
  }

 private:
  using key_indices = std::make_index_sequence<Table::key_count>;

  template <class Group, std::size_t... K>
  bool key_time_passed(const Group& group, std::index_sequence<K...>) const {
    bool passed = false;
    const auto look = [&](std::size_t index, const auto& part) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part.value)>, std::int64_t>)
        if (index == settings.time_key) passed = !part.is_null && part.value <= watermark;
    };
    (look(K, boost::hana::at_c<K>(group.key)), ...);
    static_cast<void>(look);
    return passed;
  }
};

}  // namespace etlantic
