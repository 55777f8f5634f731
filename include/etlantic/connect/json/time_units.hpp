#pragma once
#include <etlantic/contract/schema.hpp>

#include <cstdint>

namespace etlantic::detail {

/// Microseconds in the unit of a time that is written as a count.
constexpr std::int64_t microseconds_of(time_form form) {
  return form == time_form::epoch_seconds ? 1'000'000 : form == time_form::epoch_milliseconds ? 1'000 : 1;
}

}  // namespace etlantic::detail
