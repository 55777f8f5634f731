#pragma once
#include "order_options.hpp"
#include "text.hpp"

#include <cstdint>
#include <deque>

namespace orders {

inline constexpr microseconds window_duration = one_hour;
inline constexpr microseconds watermark_delay = 15 * one_minute;

/// Knows which windows are closed for a row however the input was cut into batches: those that the rows far enough
/// before it have closed. Holds one entry per hour that closed, not one per row.
class closed_windows {
 public:
  explicit closed_windows(const order_options& options) : distance_(first_late_position(options)) {}

  /// Tells of a paid, valid row in time; positions must ascend.
  void observe(std::uint64_t position, microseconds greatest_time) {
    const microseconds end = floor_to(greatest_time - watermark_delay, window_duration);
    if (entries_.empty() || end > entries_.back().end) entries_.push_back({position, end});
  }

  /// The newest end of a window that is closed for the row at this position; positions must ascend.
  microseconds newest_end(std::uint64_t position) {
    while (entries_.size() > 1 && entries_[1].position + distance_ <= position) entries_.pop_front();
    return entries_.front().end;
  }

 private:
  struct closing {
    std::uint64_t position;
    microseconds end;
  };

  std::uint64_t distance_;
  std::deque<closing> entries_;
};

}  // namespace orders
