#pragma once
#include <etlantic/core/calendar_period.hpp>
#include <etlantic/core/time_zone.hpp>
#include <etlantic/kernel/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace etlantic::kernel {

/// Windows that are periods of the calendar in a zone. They follow each other without gap, each from the first time at
/// which the clock shows the begin of its period or later. Times come mostly from few of them: they are kept.
class calendar_grid {
 public:
  calendar_grid(calendar_period period, const time_zone& zone) : period_(period), zone_(&zone) {}

  window_bounds window_of(std::int64_t time) {
    const auto behind = std::upper_bound(known_.begin(), known_.end(), time,
                                         [](std::int64_t at, const window_bounds& each) { return at < each.start; });
    if (behind != known_.begin() && contains(*(behind - 1), time)) return *(behind - 1);
    const window_bounds found = find(time);
    if (known_.size() < most_known) return *known_.insert(behind, found);
    known_.assign(1, found);
    return found;
  }

 private:
  static constexpr std::size_t most_known = 1024;
  static constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

  // The window at the end of the range of times has no end in it.
  static bool contains(window_bounds window, std::int64_t time) {
    return time >= window.start && (time < window.end || window.end == greatest);
  }

  window_bounds find(std::int64_t time) const {
    constexpr std::int64_t day_length = 86'400'000'000;
    std::int64_t number = period_.number_of(floor_divide(zone_->reading_at({time}), day_length));
    // Where a change of the clock is close to midnight it may show the day before once more.
    while (time < begin_of(number)) --number;
    window_bounds window{begin_of(number), begin_of(number + 1)};
    for (; !contains(window, time); ++number) window = {begin_of(number + 1), begin_of(number + 2)};
    return window;
  }

  std::int64_t begin_of(std::int64_t number) const {
    std::int64_t midnight = 0;
    if (__builtin_mul_overflow(period_.first_day_of(number), std::int64_t{86'400'000'000}, &midnight))
      return number < 0 ? least : greatest;
    return zone_->first_time_from(midnight).microseconds;
  }

  calendar_period period_;
  const time_zone* zone_;
  std::vector<window_bounds> known_;  // by start
};

}  // namespace etlantic::kernel
