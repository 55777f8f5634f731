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

}  // namespace etlantic::kernel
