#include <etlantic/column/format.hpp>
#include <etlantic/core/base64.hpp>
#include <etlantic/core/decimal.hpp>

#include "support/catch.hpp"

#include <limits>
#include <string>

using namespace etlantic;

namespace {

template <class Write>
std::string written(Write write) {
  char buffer[scalar_text_size];
  return {buffer, write(buffer)};
}
std::string decimal_text(int128 scaled, int scale) {
  return written([&](char* to) { return write_decimal(to, scaled, scale); });
}
std::string real_text(auto value) {
  return written([&](char* to) { return write_floating(to, value); });
}
std::string time_text(std::int64_t microseconds, time_form form = time_form::rfc3339) {
  return written([&](char* to) { return write_timestamp(to, timestamp{microseconds}, form); });
}
std::string base64(std::string_view bytes) {
  std::string to;
  append_base64(to, bytes);
  return to;
}

}  // namespace

TEST_CASE("a decimal is written with all digits of its scale") {
  CHECK(decimal_text(1230, 2) == "12.30");
  CHECK(decimal_text(0, 2) == "0.00");
  CHECK(decimal_text(-5, 2) == "-0.05");
  CHECK(decimal_text(-100, 2) == "-1.00");
  CHECK(decimal_text(7, 0) == "7");
  CHECK(decimal_text(0, 0) == "0");
  CHECK(decimal_text(std::numeric_limits<std::int64_t>::min(), 0) == "-9223372036854775808");
  CHECK(decimal_text(power_of_ten(19), 19) == "1.0000000000000000000");
  CHECK(decimal_text(power_of_ten(38) - 1, 38) == "0.99999999999999999999999999999999999999");
  CHECK(decimal_text(int128_min, 0) == "-170141183460469231731687303715884105728");
}

TEST_CASE("FL-07: a floating-point number is the shortest text that reads back") {
  CHECK(real_text(0.1) == "0.1");
  CHECK(real_text(1e21) == "1e+21");
  CHECK(real_text(5e-324) == "5e-324");
  CHECK(real_text(0.0) == "0.0");
  CHECK(real_text(-0.0) == "-0.0");
  CHECK(real_text(-std::numeric_limits<double>::min()) == "-2.2250738585072014e-308");
  CHECK(real_text(0.1f) == "0.1");
  CHECK(real_text(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(real_text(-std::numeric_limits<double>::infinity()) == "-Infinity");
  CHECK(real_text(std::numeric_limits<float>::infinity()) == "Infinity");
}

TEST_CASE("a time is written in UTC with six digits") {
  CHECK(time_text(0) == "1970-01-01T00:00:00.000000Z");
  CHECK(time_text(-1) == "1969-12-31T23:59:59.999999Z");
  CHECK(time_text(1709209805000006) == "2024-02-29T12:30:05.000006Z");
  CHECK(time_text(253402300799999999) == "9999-12-31T23:59:59.999999Z");
  CHECK(time_text(253402300800000000) == "+010000-01-01T00:00:00.000000Z");
  CHECK(time_text(-62167219200000001) == "-000001-12-31T23:59:59.999999Z");
  CHECK(time_text(std::numeric_limits<std::int64_t>::max()) == "+294247-01-10T04:00:54.775807Z");
  CHECK(time_text(std::numeric_limits<std::int64_t>::min()) == "-290308-12-21T19:59:05.224192Z");
}

TEST_CASE("a time of a contract that counts since 1970 is a number, with a fraction only where it has one") {
  CHECK(time_text(1500000000, time_form::epoch_seconds) == "1500");
  CHECK(time_text(1500000001, time_form::epoch_seconds) == "1500.000001");
  CHECK(time_text(-1500, time_form::epoch_milliseconds) == "-1.5");
  CHECK(time_text(0, time_form::epoch_milliseconds) == "0");
  CHECK(time_text(1200, time_form::epoch_microseconds) == "1200");
}

TEST_CASE("a day is written as year, month and day") {
  CHECK(written([](char* to) { return write_date(to, date{19782}); }) == "2024-02-29");
  CHECK(written([](char* to) { return write_date(to, date{-1}); }) == "1969-12-31");
  CHECK(written([](char* to) { return write_date(to, date{std::numeric_limits<std::int32_t>::max()}); }) ==
        "+5881580-07-11");
  CHECK(written([](char* to) { return write_date(to, date{std::numeric_limits<std::int32_t>::min()}); }) ==
        "-5877641-06-23");
}

TEST_CASE("base64 agrees with RFC 4648, section 10") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\xff\xfe\0", 3)) == "//4A");
}
