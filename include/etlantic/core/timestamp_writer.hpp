#pragma once
#include <etlantic/core/rfc3339.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etlantic {

/// Writes times as `write_timestamp` does, for many that come one after the other: the calendar is asked only when the
/// day is another one than before.
class timestamp_writer {
 public:
  char* write(char* to, timestamp time) {
    const detail::time_in_day split = detail::time_in_day_of(time);
    if (size_ == 0 || split.day != day_) {
      day_ = split.day;
      size_ = static_cast<std::size_t>(detail::write_day(text_, day_) - text_);
    }
    return detail::write_time_of_day(write_characters(to, {text_, size_}), split.microseconds);
  }

 private:
  std::int64_t day_ = 0;
  std::size_t size_ = 0;
  char text_[scalar_text_size];
};

}  // namespace etlantic
