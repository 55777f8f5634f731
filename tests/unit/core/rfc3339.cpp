#include "support/catch.hpp"
#include "support/csv.hpp"
#include "support/data.hpp"

#include <etlantic/core/rfc3339.hpp>

#include <limits>

using namespace etlantic;

namespace {

void check_texts(const std::string& file, std::size_t verdict, std::size_t count) {
  const auto rows = test::read_csv(test::data_folder() / "timestamps" / file);
  REQUIRE(rows.size() == count);
  for (const auto& row : rows) {
    INFO(row[0]);
    const auto parsed = parse_rfc3339(row[0]);
    REQUIRE(parsed.has_value() == (row[verdict] == "valid"));
    if (parsed) CHECK(std::to_string(parsed->microseconds) == row[verdict + 1]);
  }
}

constexpr std::int64_t microseconds(std::string_view text) { return parse_rfc3339(text).value().microseconds; }

static_assert(microseconds("2026-01-01T00:00:00.000000Z") == 1767225600000000);

}  // namespace

TEST_CASE("time stamp texts have the verdicts and values of a second implementation") {
  check_texts("timestamps.csv", 1, 146);
}

TEST_CASE("time stamps of the JSON Schema test suite") { check_texts("rfc3339-suite.csv", 2, 19); }

TEST_CASE("TS-01: nine fraction digits are cut, not rounded") {
  CHECK(microseconds("2015-03-18T12:03:17.123456789+00:00") == 1426680197123456);
  CHECK(microseconds("2023-12-31T23:59:59.9999999Z") == 1704067199999999);
}

TEST_CASE("a time stamp outside the years 0000 to 9999 in UTC is refused") {
  CHECK(microseconds("0000-01-01T00:00:00Z") == -62167219200000000);
  CHECK(microseconds("9999-12-31T23:59:59.999999+00:01") == 253402300799999999 - 60'000'000);
  CHECK_FALSE(parse_rfc3339("0000-01-01T00:00:00+00:01"));
  CHECK_FALSE(parse_rfc3339("9999-12-31T23:59:59-00:01"));
}

TEST_CASE("time stamps are written in UTC with six digits") {
  CHECK(format_rfc3339({1767225600000000}) == "2026-01-01T00:00:00.000000Z");
  CHECK(format_rfc3339({-1}) == "1969-12-31T23:59:59.999999Z");
  CHECK(format_rfc3339({0}) == "1970-01-01T00:00:00.000000Z");
  CHECK(format_rfc3339({-62135596800000000}) == "0001-01-01T00:00:00.000000Z");
  CHECK(format_rfc3339({253402300799999999}) == "9999-12-31T23:59:59.999999Z");
  CHECK(format_rfc3339({253402300800000000}) == "+010000-01-01T00:00:00.000000Z");
  CHECK(format_rfc3339({std::numeric_limits<std::int64_t>::max()}) == "+294247-01-10T04:00:54.775807Z");
  CHECK(format_rfc3339({std::numeric_limits<std::int64_t>::min()}) == "-290308-12-21T19:59:05.224192Z");
}

TEST_CASE("a written time stamp reads back") {
  for (std::int64_t t = -62135596800000000; t < 253402300799999999; t += 98'765'432'123'457)
    CHECK(microseconds(format_rfc3339({t})) == t);
}

TEST_CASE("a date is four, two and two digits of a day that exists") {
  CHECK(parse_date("1970-01-01") == date{0});
  CHECK(parse_date("2024-02-29") == date{19782});
  CHECK(parse_date("1969-12-31") == date{-1});
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-1-01", "20240101",
                           " 2024-01-01", "2024-01-01 ", "2024-01-01T", "+024-01-01", ""})
    CHECK_FALSE(parse_date(text));
  CHECK(format_date({19782}) == "2024-02-29");
  CHECK(format_date({-1}) == "1969-12-31");
}
