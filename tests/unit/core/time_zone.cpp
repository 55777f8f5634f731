#include "support/catch.hpp"

#include <etlantic/core/local_times.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/core/time_zone.hpp>

#include <cstdint>
#include <limits>
#include <string>

using namespace etlantic;

namespace {

const time_zone& zone(std::string_view name) {
  const auto found = find_time_zone(name);
  REQUIRE(found.ok());
  return **found;
}

std::int64_t reading(std::string_view text) { return parse_date_time(text).value().reading; }

/// A reading without a zone as UTC, by every way that there is.
std::string utc(std::string_view name, std::string_view text) {
  const timestamp time = zone(name).time_of(reading(text));
  CHECK(local_times().parse(text, name) == time);
  return format_rfc3339(time);
}

std::string first_from(std::string_view name, std::string_view text) {
  return format_rfc3339(zone(name).first_time_from(reading(text)));
}

}  // namespace

TEST_CASE("a reading means the time at which a clock of the zone shows it") {
  CHECK(utc("Europe/Berlin", "2024-07-01T12:00:00") == "2024-07-01T10:00:00.000000Z");
  CHECK(utc("Europe/Berlin", "2024-01-01T12:00:00.5") == "2024-01-01T11:00:00.500000Z");
  CHECK(utc("Asia/Kolkata", "1969-12-31T23:59:59.999999") == "1969-12-31T18:29:59.999999Z");
  CHECK(utc("UTC", "2024-07-01T12:00:00") == "2024-07-01T12:00:00.000000Z");
  // Long before and behind what zone data lists: local mean time, and the rule for the years to come.
  CHECK(utc("Europe/Berlin", "1800-01-01T00:00:00") == "1799-12-31T23:06:32.000000Z");
  CHECK(utc("Europe/Berlin", "9000-07-01T00:00:00") == "9000-06-30T22:00:00.000000Z");
  CHECK(zone("Asia/Tokyo").reading_at({0}) == std::int64_t{9} * 3'600'000'000);
  CHECK(zone("America/New_York").reading_at({-1}) == std::int64_t{-5} * 3'600'000'000 - 1);
}

TEST_CASE("a reading that the clock skips is shifted by what it skips; of one that comes twice the first is meant") {
  CHECK(utc("Europe/Berlin", "2024-03-31T02:30:00") == "2024-03-31T01:30:00.000000Z");
  CHECK(utc("Europe/Berlin", "2024-10-27T02:30:00") == "2024-10-27T00:30:00.000000Z");
  CHECK(utc("America/New_York", "2024-03-10T02:00:00") == "2024-03-10T07:00:00.000000Z");
  CHECK(utc("America/New_York", "2024-11-03T01:59:59") == "2024-11-03T05:59:59.000000Z");
  // Half an hour; and a whole day, 2011-12-30, that Apia never had.
  CHECK(utc("Australia/Lord_Howe", "2024-10-06T02:15:00") == "2024-10-05T15:45:00.000000Z");
  CHECK(utc("Pacific/Apia", "2011-12-30T12:00:00") == "2011-12-30T22:00:00.000000Z");
}

TEST_CASE("a day begins at its first reading") {
  CHECK(first_from("Europe/Berlin", "2024-03-31T00:00:00") == "2024-03-30T23:00:00.000000Z");
  CHECK(first_from("Europe/Berlin", "2024-03-31T02:30:00") == "2024-03-31T01:00:00.000000Z");
  // In Sao Paulo midnight itself was skipped on 2018-11-04 and came twice, as the end of 02-17, on 2018-02-18.
  CHECK(first_from("America/Sao_Paulo", "2018-11-04T00:00:00") == "2018-11-04T03:00:00.000000Z");
  CHECK(first_from("America/Sao_Paulo", "2018-02-18T00:00:00") == "2018-02-18T03:00:00.000000Z");
  CHECK(first_from("Pacific/Apia", "2011-12-30T00:00:00") == first_from("Pacific/Apia", "2011-12-31T00:00:00"));
}

TEST_CASE("the ends of the range of times do not wrap") {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  CHECK(zone("Asia/Tokyo").reading_at({greatest}) == greatest);
  CHECK(zone("Asia/Tokyo").time_of(least) == timestamp{least});
  CHECK(zone("America/New_York").reading_at({least}) == least);
  CHECK(zone("America/New_York").time_of(greatest) == timestamp{greatest});
}

TEST_CASE("a zone that the system does not have is refused with its name, where was looked and what to do") {
  for (const char* name : {"Europe/Berlinn", "", "../../etc/localtime", "/usr/share/zoneinfo/Europe/Berlin",
                           "localtime", "zone.tab", "Fixed/UTC+01:00:00", "Europe"}) {
    INFO(name);
    const auto found = find_time_zone(name);
    REQUIRE(!found.ok());
    CHECK(found.error().code == "PMPLAN205");
    CHECK(found.error().kind == failure_class::configuration);
    CHECK(found.error().message.find("'" + std::string(name) + "'") != std::string::npos);
    CHECK(found.error().message.find("zoneinfo") != std::string::npos);
    CHECK(found.error().help.find("tzdata") != std::string::npos);
  }
}
