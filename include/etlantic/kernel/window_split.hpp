#pragma once
#include <etlantic/kernel/calendar_grid.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace etlantic::kernel {

/// Least and greatest time of some rows, of which there is at least one.
struct time_range {
  std::int64_t least;
  std::int64_t greatest;
};

inline time_range range_of(const std::int64_t* times, const std::uint16_t* rows, std::size_t count) {
  time_range found{times[rows[0]], times[rows[0]]};
  for (std::size_t i = 1; i < count; ++i) {
    found.least = std::min(found.least, times[rows[i]]);
    found.greatest = std::max(found.greatest, times[rows[i]]);
  }
  return found;
}

/// Sorts rows of a morsel by the tumbling window they are in. Within a window they keep their order.
class window_split {
 public:
  /// Calls `visit(bounds, rows, count)` for each window, earliest first. `range` is that of the rows' times.
  template <class Visit>
  void for_each(const std::int64_t* times, const std::uint16_t* rows, std::size_t count, time_range range,
                std::int64_t length, std::int64_t offset, Visit&& visit) {
    const window_bounds first = tumbling_window(range.least, length, offset);
    if (first.contains(range.greatest)) return visit(first, rows, count);
    if (is_near(range.greatest, first.end, length))
      sort(times, rows, count, first.end, length);
    else
      sort_far(times, rows, count, length, offset);
    for (std::size_t begin = 0; begin < count;) {
      const window_bounds bounds = tumbling_window(times[sorted_[begin]], length, offset);
      std::size_t end = begin + 1;
      while (end < count && bounds.contains(times[sorted_[end]])) ++end;
      visit(bounds, sorted_.data() + begin, end - begin);
      begin = end;
    }
  }

  /// The same for windows of a calendar.
  template <class Visit>
  void for_each(const std::int64_t* times, const std::uint16_t* rows, std::size_t count, time_range range,
                calendar_grid& windows, Visit&& visit) {
    const window_bounds first = windows.window_of(range.least);
    if (first.contains(range.greatest)) return visit(first, rows, count);
    sort_by(rows, count, [&](std::uint16_t row) { return windows.window_of(times[row]).start; });
    for (std::size_t begin = 0; begin < count;) {
      const window_bounds bounds = windows.window_of(times[sorted_[begin]]);
      std::size_t end = begin + 1;
      while (end < count && bounds.contains(times[sorted_[end]])) ++end;
      visit(bounds, sorted_.data() + begin, end - begin);
      begin = end;
    }
  }

 private:
  static constexpr std::size_t most_windows = 512;

  /// Whether few windows lie between a time and the first window's end, and their numbers are exact as double.
  static bool is_near(std::int64_t time, std::int64_t end, std::int64_t length) {
    constexpr std::int64_t longest = std::int64_t{1} << 50;
    return length < longest && static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(end) <
                                   static_cast<std::uint64_t>(length) * (most_windows - 1);
  }

  /// Counting sort by the number of the window.
  void sort(const std::int64_t* times, const std::uint16_t* rows, std::size_t count, std::int64_t end,
            std::int64_t length) {
    std::array<std::uint16_t, most_windows + 1> starts{};
    const double windows_per_unit = 1.0 / static_cast<double>(length);
    for (std::size_t i = 0; i < count; ++i) {
      std::int64_t place = 0;
      if (const std::int64_t time = times[rows[i]]; time >= end) {
        // A product instead of a quotient is off by one at most.
        const std::int64_t distance = time - end;
        place = 1 + static_cast<std::int64_t>(static_cast<double>(distance) * windows_per_unit);
        if (distance < (place - 1) * length) --place;
        if (distance >= place * length) ++place;
      }
      places_[i] = static_cast<std::uint16_t>(place);
      ++starts[static_cast<std::size_t>(place) + 1];
    }
    for (std::size_t place = 1; place <= most_windows; ++place)
      starts[place] = static_cast<std::uint16_t>(starts[place] + starts[place - 1]);
    for (std::size_t i = 0; i < count; ++i) sorted_[starts[places_[i]]++] = rows[i];
  }

  /// So many windows that most have a row or two.
  void sort_far(const std::int64_t* times, const std::uint16_t* rows, std::size_t count, std::int64_t length,
                std::int64_t offset) {
    sort_by(rows, count, [&](std::uint16_t row) { return tumbling_window(times[row], length, offset).start; });
  }

  template <class StartOf>
  void sort_by(const std::uint16_t* rows, std::size_t count, StartOf&& start_of) {
    std::array<std::int64_t, morsel_rows> starts;
    for (std::size_t i = 0; i < count; ++i) starts[rows[i]] = start_of(rows[i]);
    std::copy_n(rows, count, sorted_.data());
    std::sort(sorted_.data(), sorted_.data() + count, [&starts](std::uint16_t a, std::uint16_t b) {
      return starts[a] != starts[b] ? starts[a] < starts[b] : a < b;
    });
  }

  std::array<std::uint16_t, morsel_rows> places_;
  std::array<std::uint16_t, morsel_rows> sorted_;
};

}  // namespace etlantic::kernel
