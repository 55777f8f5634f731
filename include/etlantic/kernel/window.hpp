#pragma once
#include <etlantic/core/integer128.hpp>

#include <cstdint>
#include <limits>
#include <numeric>

namespace etlantic::kernel {

/// A window of event time [start, end), in microseconds.
struct window_bounds {
  std::int64_t start;
  std::int64_t end;

  constexpr bool contains(std::int64_t time) const { return time >= start && time < end; }
};

/// The bounds of a window; at the ends of the range of int64 they stop there instead of wrapping.
constexpr window_bounds bounded_window(int128 start, std::int64_t length) {
  constexpr int128 least = std::numeric_limits<std::int64_t>::min();
  constexpr int128 greatest = std::numeric_limits<std::int64_t>::max();
  const int128 end = start + length;
  return {static_cast<std::int64_t>(start < least ? least : start),
          static_cast<std::int64_t>(end > greatest ? greatest : end)};
}

/// The greatest start at or before a time, where one lies every `distance`: time - floorMod(time - offset, distance).
constexpr int128 start_before(int128 time, std::int64_t distance, std::int64_t offset) {
  int128 behind = (time - offset) % distance;
  if (behind < 0) behind += distance;
  return time - behind;
}

/// The tumbling window that a time falls into.
constexpr window_bounds tumbling_window(std::int64_t time, std::int64_t length, std::int64_t offset) {
  return bounded_window(start_before(time, length, offset), length);
}

/// Windows of one length, of which one begins every `slide`, aligned to 1970-01-01T00:00:00Z plus `offset`. The slide
/// is at most the length; where they are equal the windows tumble.
///
/// A pane is the longest piece of time that lies in the same windows as a whole: what its rows come to is kept once,
/// and a window is the panes between its bounds.
struct window_grid {
  std::int64_t length = 0;  // 0: no windows
  std::int64_t slide = 0;
  std::int64_t offset = 0;

  constexpr bool exists() const { return length != 0; }
  constexpr bool tumbles() const { return slide == length; }
  constexpr std::int64_t pane_length() const { return std::gcd(length, slide); }

  /// Start of the first and of the last window that a time is in.
  constexpr int128 first_start(std::int64_t time) const {
    return start_before(int128{time} - length, slide, offset) + slide;
  }
  constexpr int128 last_start(std::int64_t time) const { return start_before(time, slide, offset); }

  constexpr window_bounds last_window(std::int64_t time) const { return bounded_window(last_start(time), length); }
};

/// The windows of a grid that end at or before a watermark: those that start before some time.
struct closed_windows {
  static constexpr int128 beyond_all_times = int128{1} << 100;
  int128 starts_before = -beyond_all_times;

  static constexpr closed_windows all() { return {beyond_all_times}; }
  static constexpr closed_windows up_to(std::int64_t watermark, const window_grid& grid) {
    // Where windows stop at the end of the range of int64, that end closes them.
    if (watermark == std::numeric_limits<std::int64_t>::max()) return all();
    return {grid.first_start(watermark)};
  }

  constexpr bool contains(int128 start) const { return start < starts_before; }
  /// Whether all windows that a time is in are closed.
  constexpr bool covers(std::int64_t time) const { return time < starts_before; }
};

}  // namespace etlantic::kernel
