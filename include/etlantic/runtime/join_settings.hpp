#pragma once
#include <etlantic/column/variable_size.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/integer128.hpp>
#include <etlantic/core/join_sort.hpp>
#include <etlantic/kernel/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace etlantic {

enum class join_time : std::uint8_t { unbounded, range, same_time, same_window };

/// Event times, first and last included; empty where `first` is greater.
struct times_between {
  std::int64_t first;
  std::int64_t last;

  constexpr bool contains(std::int64_t time) const { return time >= first && time <= last; }
};

/// How the event times of matching rows lie, and what follows for rows that wait.
struct join_time_rule {
  /// A bound of right time - left time, in microseconds.
  struct bound {
    std::int64_t distance = 0;
    bool inclusive = true;
  };

  join_time kind = join_time::unbounded;
  bound least;
  bound greatest;
  kernel::window_grid windows;

  constexpr bool bounded() const { return kind != join_time::unbounded; }

  /// The times of the other side that match a row of this side. What `key_time` decides is not asked again.
  constexpr times_between partners(join_side side, std::int64_t time) const {
    if (kind != join_time::range) return clipped(lowest, highest);
    const int128 low = int128{least.distance} + !least.inclusive;
    const int128 high = int128{greatest.distance} - !greatest.inclusive;
    if (side == join_side::of_left) return clipped(time + low, time + high);
    return clipped(time - high, time - low);
  }

  /// Whether the time is part of the key.
  constexpr bool has_key_time() const { return kind == join_time::same_time || kind == join_time::same_window; }
  constexpr std::int64_t key_time(std::int64_t time) const {
    return kind == join_time::same_time ? time : windows.last_window(time).start;
  }

  /// Rows of a side whose time lies before this cannot match what comes after the watermark. Where an end of the range
  /// is included a row stays one millisecond longer, as in Spark, whose watermarks are in whole milliseconds.
  constexpr int128 leaves_before(join_side side, std::int64_t watermark) const {
    constexpr std::int64_t millisecond = 1000;
    const auto wait = [](const bound& of) { return of.inclusive ? millisecond : 0; };
    switch (kind) {
      case join_time::unbounded: return lowest;
      case join_time::range:
        if (side == join_side::of_left) return int128{watermark} - greatest.distance - wait(greatest) + 1;
        return int128{watermark} + least.distance - wait(least) + 1;
      case join_time::same_time: return int128{watermark} + 1;
      case join_time::same_window: return kernel::closed_windows::up_to(watermark, windows).starts_before;
    }
    return lowest;
  }

 private:
  static constexpr int128 lowest = std::numeric_limits<std::int64_t>::min();
  static constexpr int128 highest = std::numeric_limits<std::int64_t>::max();

  static constexpr times_between clipped(int128 first, int128 last) {
    if (first > highest || last < lowest || first > last) return {1, 0};
    return {static_cast<std::int64_t>(std::max(first, lowest)), static_cast<std::int64_t>(std::min(last, highest))};
  }
};

/// What a join needs to know of one of its sides.
struct join_side_settings {
  const schema* rows = nullptr;
  std::size_t input = 0;         // of the step
  const schema* late = nullptr;  // nullptr: late rows are counted and not given out
  std::size_t late_port = 0;
};

struct join_settings {
  join_sort sort = join_sort::inner;
  join_time_rule time;
  std::array<join_side_settings, 2> sides;
  std::string where;
  const schema* result = nullptr;
  const schema* invalid = nullptr;
  std::size_t invalid_port = 0;
  std::size_t most_bytes = variable_bytes_per_block;  // of texts and lists in one block, but for its last row
};

constexpr bool keeps(join_sort sort, join_side side) {
  return side == join_side::of_left ? keeps_left(sort) : keeps_right(sort);
}

}  // namespace etlantic
