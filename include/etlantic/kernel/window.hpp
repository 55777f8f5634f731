#pragma once
#include <etlantic/core/integer128.hpp>

#include <cstdint>
#include <limits>

namespace etlantic::kernel {

/// A window of event time [start, end), in microseconds.
struct window_bounds {
  std::int64_t start;
  std::int64_t end;

  constexpr bool contains(std::int64_t time) const { return time >= start && time < end; }
};

/// The tumbling window that a time falls into: start = time - floorMod(time - offset, length). At the ends of the
/// range of int64 the bounds stop there instead of wrapping.
constexpr window_bounds tumbling_window(std::int64_t time, std::int64_t length, std::int64_t offset) {
  const int128 shifted = int128{time} - offset;
  int128 into_window = shifted % length;
  if (into_window < 0) into_window += length;
  const int128 start = time - into_window;
  const int128 end = start + length;
  constexpr int128 least = std::numeric_limits<std::int64_t>::min();
  constexpr int128 greatest = std::numeric_limits<std::int64_t>::max();
  return {static_cast<std::int64_t>(start < least ? least : start),
          static_cast<std::int64_t>(end > greatest ? greatest : end)};
}

/// The times of windows that end at or before a watermark.
struct closed_times {
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  bool all = false;

  static constexpr closed_times up_to(std::int64_t watermark, std::int64_t length, std::int64_t offset) {
    // Windows end where the next begin, so that those before the watermark's own window are the ones; at the end of the
    // range of int64 that one ends, too.
    const window_bounds around = tumbling_window(watermark, length, offset);
    return {around.start, around.end <= watermark};
  }

  constexpr bool covers(std::int64_t time) const { return time < before || all; }
};

}  // namespace etlantic::kernel
