#pragma once
#include <etlantic/core/calendar.hpp>
#include <etlantic/core/time_zone.hpp>
#include <etlantic/core/zone_name.hpp>

#include <cstdlib>
#include <string>

#if defined(ETLANTIC_WITH_TIME_ZONE)
#include <cctz/civil_time.h>
#include <cctz/time_zone.h>

#include <limits>
#include <map>
#include <memory>
#include <mutex>
#endif

namespace etlantic {

namespace detail {

class utc_zone final : public time_zone {
 public:
  std::int64_t reading_at(timestamp time) const override { return time.microseconds; }
  timestamp time_of(std::int64_t reading) const override { return {reading}; }
  timestamp first_time_from(std::int64_t reading) const override { return {reading}; }
  std::optional<std::int64_t> offset_on(std::int64_t) const override { return 0; }
};

#if defined(ETLANTIC_WITH_TIME_ZONE)

class cctz_zone final : public time_zone {
 public:
  explicit cctz_zone(cctz::time_zone zone) : zone_(zone) {}

  std::int64_t reading_at(timestamp time) const override {
    const std::int64_t second = floor_divide(time.microseconds, second_length);
    const int offset = zone_.lookup(instant(std::chrono::seconds(second))).offset;
    return saturated(time.microseconds, offset * second_length);
  }

  timestamp time_of(std::int64_t reading) const override {
    const std::int64_t second = floor_divide(reading, second_length);
    const auto found = zone_.lookup(civil(second));
    return {saturated(reading, (count(found.pre) - second) * second_length)};
  }

  timestamp first_time_from(std::int64_t reading) const override {
    const std::int64_t second = floor_divide(reading, second_length);
    const auto found = zone_.lookup(civil(second));
    if (found.kind == cctz::time_zone::civil_lookup::SKIPPED) return {count(found.trans) * second_length};
    return {saturated(reading, (count(found.pre) - second) * second_length)};
  }

  std::optional<std::int64_t> offset_on(std::int64_t day) const override {
    constexpr std::int64_t seconds_of_day = 86'400;
    const auto first = zone_.lookup(civil(day * seconds_of_day));
    const auto last = zone_.lookup(civil((day + 1) * seconds_of_day - 1));
    using lookup = cctz::time_zone::civil_lookup;
    if (first.kind != lookup::UNIQUE || last.kind != lookup::UNIQUE) return {};
    if (count(last.pre) - count(first.pre) != seconds_of_day - 1) return {};
    // Two changes in one day that make up for each other.
    cctz::time_zone::civil_transition next;
    if (zone_.next_transition(first.pre, &next) && zone_.lookup(next.to).trans <= last.pre) return {};
    return (day * seconds_of_day - count(first.pre)) * second_length;
  }

 private:
  using instant = cctz::time_point<cctz::seconds>;
  static constexpr std::int64_t second_length = 1'000'000;

  static cctz::civil_second civil(std::int64_t second) { return cctz::civil_second(1970, 1, 1) + second; }
  static std::int64_t count(instant time) { return time.time_since_epoch().count(); }

  static std::int64_t saturated(std::int64_t time, std::int64_t distance) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(time, distance, &sum)) return sum;
    return distance < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  }

  cctz::time_zone zone_;
};

/// Zones are read once.
inline const time_zone* known_zone(std::string_view name) {
  static std::mutex one_at_a_time;
  static std::map<std::string, std::unique_ptr<const time_zone>, std::less<>> known;
  const std::lock_guard guard(one_at_a_time);
  const auto found = known.find(name);
  if (found != known.end()) return found->second.get();
  cctz::time_zone loaded;
  if (!cctz::load_time_zone(std::string(name), &loaded)) return nullptr;
  return known.emplace(name, std::make_unique<cctz_zone>(loaded)).first->second.get();
}

inline failure unknown_zone(std::string_view name) {
  const char* const folder = std::getenv("TZDIR");
  const std::string where = folder != nullptr && *folder != 0 ? folder : "/usr/share/zoneinfo";
  return {
      failure_class::configuration, "PMPLAN205",
      "time zone '" + std::string(name) + "' is not in this system's zone data, " + where, std::string(name),
      "Write the name as the IANA data base does, such as Europe/Berlin. If other zones are missing too, install the "
      "zone data (on Debian: apt-get install tzdata) or set TZDIR to its folder."};
}

#else

inline const time_zone* known_zone(std::string_view) { return nullptr; }

inline failure unknown_zone(std::string_view name) {
  return {failure_class::configuration, "PMPLAN205",
          "time zone '" + std::string(name) + "' is named, and this program was built without time zones",
          std::string(name),
          "Link etlantic::time_zone (on Debian it needs libcctz-dev); without CMake define ETLANTIC_WITH_TIME_ZONE and "
          "link cctz."};
}

#endif

}  // namespace detail

[[gnu::used]] inline result<const time_zone*> find_time_zone(std::string_view name) {
  static const detail::utc_zone utc;
  if (name == "UTC") return static_cast<const time_zone*>(&utc);
  const time_zone* const found = is_zone_name(name) ? detail::known_zone(name) : nullptr;
  if (found == nullptr) return detail::unknown_zone(name);
  return found;
}

}  // namespace etlantic
