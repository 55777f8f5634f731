#pragma once
#include <etlantic/core/calendar.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/core/time_zone.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace etlantic {

/// Reads times that may lack a zone. They come mostly in order, so the rules are asked once for many of one day.
class local_times {
 public:
  /// A text without a zone is in the one that is named, which the system has.
  std::optional<timestamp> parse(std::string_view text, std::string_view zone) {
    const std::optional<date_time_text> parsed = parse_date_time(text);
    if (!parsed) return {};
    if (!parsed->zone.empty()) return parse_rfc3339(text);
    if (zone != name_ && !use(zone)) return {};
    return printable(time_of(parsed->reading));
  }

 private:
  bool use(std::string_view zone) {
    const result<const time_zone*> found = find_time_zone(zone);
    if (!found) return false;
    rules_ = *found;
    name_ = zone;
    day_ = no_day;
    return true;
  }

  timestamp time_of(std::int64_t reading) {
    const std::int64_t day = floor_divide(reading, microseconds_of_day);
    if (day != day_) {
      day_ = day;
      const std::optional<std::int64_t> offset = rules_->offset_on(day);
      is_even_ = offset.has_value();
      offset_ = offset.value_or(0);
    }
    return is_even_ ? timestamp{reading - offset_} : rules_->time_of(reading);
  }

  static constexpr std::int64_t no_day = std::numeric_limits<std::int64_t>::min();

  const time_zone* rules_ = nullptr;
  std::string_view name_;
  std::int64_t day_ = no_day;
  bool is_even_ = false;  // the clock does not change on that day, and is `offset_` ahead of UTC
  std::int64_t offset_ = 0;
};

}  // namespace etlantic
