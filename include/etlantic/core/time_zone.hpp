#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace etlantic {

/// The rules of a named time zone. A reading is what a clock of the zone shows, in microseconds since it would have
/// shown 1970-01-01T00:00:00.
class time_zone {
 public:
  virtual ~time_zone() = default;

  virtual std::int64_t reading_at(timestamp time) const = 0;

  /// When the clock shows a reading: of a reading that comes twice the first time; one that the clock skips is shifted
  /// by what it skips, so that it keeps its distance from the readings before.
  virtual timestamp time_of(std::int64_t reading) const = 0;

  /// When the clock first shows that reading or a later one.
  virtual timestamp first_time_from(std::int64_t reading) const = 0;

  /// How far readings of a day (days since 1970-01-01) are ahead of UTC, if it is the same for all of them.
  virtual std::optional<std::int64_t> offset_on(std::int64_t day) const = 0;
};

/// The rules of a zone as this system's zone data has them; they live as long as the program. The failure says where
/// was looked and what to do. A program without the component `time_zone` knows no zone but UTC.
result<const time_zone*> find_time_zone(std::string_view name);

}  // namespace etlantic
