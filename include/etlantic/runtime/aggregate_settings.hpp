#pragma once
#include <etlantic/column/variable_size.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/output_mode.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/kernel/calendar_grid.hpp>
#include <etlantic/kernel/window.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace etlantic {

/// Where a field of a result comes from: a part of the key, the window, or an aggregate.
enum class result_origin : std::uint8_t { key, window_start, window_end, aggregate };

template <result_origin Origin, std::size_t Index, class Value>
struct result_field {
  static constexpr result_origin origin = Origin;
  static constexpr std::size_t index = Index;
  using value = Value;
};

/// What a row is late by: its window's end, its own time (which is then a part of the key), or nothing.
enum class lateness : std::uint8_t { none, window, row_time };

/// The settings of an aggregate stage that are not types.
struct aggregate_settings {
  output_mode mode = output_mode::append;
  lateness late_by = lateness::none;
  kernel::window_grid windows;
  std::shared_ptr<kernel::calendar_grid> calendar;  // instead of windows of one length
  std::int64_t accepted_lateness = 0;               // how far the watermark may be behind a window that takes rows
  bool corrects = false;     // in a correction run it computes the windows that are to be corrected, and no others
  std::size_t time_key = 0;  // with lateness::row_time: which part of the key is the event time
  bool has_watermark = false;
  bool looks_for_union = false;  // the watermarks are those of the parts of a union
  const schema* result = nullptr;
  const schema* late = nullptr;  // nullptr: late rows are counted and not given out
  std::size_t late_port = 0;
  const schema* invalid = nullptr;  // nullptr: invalid rows and results are counted and not given out
  std::size_t invalid_port = 0;
  std::vector<field_description> identity;  // of a result: the parts of its key, then the bounds of its window
  std::string where;                        // the step's name, for failures
  std::size_t most_bytes = variable_bytes_per_block;  // of the texts of a column in one block, but for its last row

  /// The watermark as these windows see it: later rows are taken only where results can be replaced.
  std::int64_t closing_watermark(timestamp watermark) const {
    if (mode != output_mode::update) return watermark.microseconds;
    std::int64_t seen = 0;
    return __builtin_sub_overflow(watermark.microseconds, accepted_lateness, &seen)
               ? std::numeric_limits<std::int64_t>::min()
               : seen;
  }

  bool has_windows() const { return windows.exists() || calendar != nullptr; }

  kernel::window_bounds last_window(std::int64_t time) const {
    return calendar != nullptr ? calendar->window_of(time) : windows.last_window(time);
  }

  kernel::closed_windows closed_up_to(std::int64_t watermark) const {
    if (calendar == nullptr) return kernel::closed_windows::up_to(watermark, windows);
    if (watermark == std::numeric_limits<std::int64_t>::max()) return kernel::closed_windows::all();
    return {calendar->window_of(watermark).start};  // they follow each other without gap
  }
};

}  // namespace etlantic
