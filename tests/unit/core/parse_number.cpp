#include "support/catch.hpp"

#include <etlantic/core/base64.hpp>
#include <etlantic/core/decimal.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/core/format_number.hpp>
#include <etlantic/core/parse_double.hpp>
#include <etlantic/core/parse_number.hpp>

#include <cmath>
#include <limits>
#include <string>

using namespace etlantic;

namespace {

template <class T>
T integer(std::string_view text) {
  const auto parsed = parse_integer<T>(text);
  REQUIRE(parsed.ok());
  return parsed.value;
}

std::string decimal_text(std::string_view text, int precision, int scale,
                         excess_digits excess = excess_digits::refuse) {
  const auto parsed = parse_decimal(text, precision, scale, excess);
  switch (parsed.fault) {
    case number_fault::none: return format_decimal(parsed.value, scale);
    case number_fault::not_a_number: return "not a number";
    case number_fault::out_of_range: return "out of range";
    case number_fault::excess_digits: return "excess digits";
  }
  return "";
}

std::string rounded_text(std::string_view text, int precision, int scale) {
  return decimal_text(text, precision, scale, excess_digits::round_half_up);
}

static_assert(parse_integer<std::int64_t>("9007199254740993").value == 9007199254740993);
static_assert(parse_decimal("12.30", 10, 2).value == 1230);

}  // namespace

TEST_CASE("JS-01: integers keep all digits") {
  CHECK(integer<std::int64_t>("9007199254740993") == 9007199254740993);
  CHECK(integer<std::int64_t>("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(integer<std::int64_t>("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK(integer<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(integer<std::int64_t>("-0") == 0);
  CHECK(integer<std::uint8_t>("-0") == 0);
}

TEST_CASE("JS-03: an integer that does not fit is out of range, not bad grammar") {
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "18446744073709551616",
                           "99999999999999999999", "100000000000000000000000000000000000000000000"})
    CHECK(parse_integer<std::int64_t>(text).fault == number_fault::out_of_range);
  CHECK(parse_integer<std::uint64_t>("18446744073709551616").fault == number_fault::out_of_range);
  CHECK(parse_integer<std::uint64_t>("-1").fault == number_fault::out_of_range);
}

TEST_CASE("every width of integer has its own range") {
  CHECK(integer<std::int8_t>("-128") == -128);
  CHECK(integer<std::int8_t>("127") == 127);
  CHECK(parse_integer<std::int8_t>("128").fault == number_fault::out_of_range);
  CHECK(parse_integer<std::int8_t>("-129").fault == number_fault::out_of_range);
  CHECK(integer<std::uint8_t>("255") == 255);
  CHECK(parse_integer<std::uint8_t>("256").fault == number_fault::out_of_range);
  CHECK(integer<std::int16_t>("-32768") == -32768);
  CHECK(parse_integer<std::int16_t>("32768").fault == number_fault::out_of_range);
  CHECK(integer<std::uint16_t>("65535") == 65535);
  CHECK(integer<std::int32_t>("-2147483648") == std::numeric_limits<std::int32_t>::min());
  CHECK(parse_integer<std::int32_t>("2147483648").fault == number_fault::out_of_range);
  CHECK(integer<std::uint32_t>("4294967295") == 4294967295u);
  CHECK(parse_integer<std::uint32_t>("4294967296").fault == number_fault::out_of_range);
}

TEST_CASE("JS-04, JS-21: what is no integer token is refused") {
  for (const char* text : {"", "-", "+1", "01", "-01", "1.0", "1e3", "1E0", "1.", ".5", "0x10", "1e", "NaN", "Infinity",
                           "1_000", " 1", "1 ", "1e+", "--1"})
    CHECK(parse_integer<std::int64_t>(text).fault == number_fault::not_a_number);
}

TEST_CASE("DC-01: excess digits round half away from zero where the field says so, and are refused otherwise") {
  CHECK(rounded_text("12.345", 10, 2) == "12.35");
  CHECK(rounded_text("-12.345", 10, 2) == "-12.35");
  CHECK(rounded_text("12.335", 10, 2) == "12.34");
  CHECK(rounded_text("1.005", 10, 2) == "1.01");
  CHECK(rounded_text("0.005", 10, 2) == "0.01");
  CHECK(rounded_text("0.004999", 10, 2) == "0.00");
  CHECK(rounded_text("0.00999", 10, 2) == "0.01");
  for (const char* text : {"12.345", "-12.345", "1.005", "0.005", "0.004999"})
    CHECK(decimal_text(text, 10, 2) == "excess digits");
  CHECK(decimal_text("12.3400000", 10, 2) == "12.34");
}

TEST_CASE("DC-03: exponents move the point") {
  CHECK(decimal_text("1e3", 38, 6) == "1000.000000");
  CHECK(decimal_text("-1e3", 38, 6) == "-1000.000000");
  CHECK(decimal_text("1.5e-1", 38, 6) == "0.150000");
  CHECK(decimal_text("0e0", 38, 6) == "0.000000");
  CHECK(decimal_text("-0e0", 38, 6) == "0.000000");
  CHECK(decimal_text("-1e31", 38, 6) == "-10000000000000000000000000000000.000000");
  CHECK(decimal_text("1e32", 38, 6) == "out of range");
  CHECK(rounded_text("4825037936439135476.2609835314269495255615E-14", 9, 4) == "48250.3794");
}

TEST_CASE("DC-04: digits that round over the edge are out of range") {
  const std::string nines(38, '9');
  CHECK(rounded_text(nines + "9e-1", 38, 0) == "out of range");
  CHECK(rounded_text(nines, 38, 0) == nines);
  CHECK(rounded_text(nines + ".4", 38, 0) == nines);
  CHECK(rounded_text("99.995", 4, 2) == "out of range");
}

TEST_CASE("JS-07: exponents of any size take time linear in the text") {
  CHECK(decimal_text("1e400", 10, 2) == "out of range");
  CHECK(decimal_text("1e999999999", 10, 2) == "out of range");
  CHECK(decimal_text("1e-400", 10, 2) == "excess digits");
  CHECK(rounded_text("1e-400", 10, 2) == "0.00");
  CHECK(rounded_text("1e-99999999999999999999999", 10, 2) == "0.00");
  CHECK(decimal_text("1e99999999999999999999999", 10, 2) == "out of range");
  CHECK(decimal_text("0e99999999999999999999999", 10, 2) == "0.00");
  const std::string zeros(100'000, '0');
  CHECK(decimal_text("1" + zeros + "e-100000", 10, 2) == "1.00");
  CHECK(decimal_text("0." + zeros + "1e100001", 10, 2) == "1.00");
  CHECK(decimal_text("12." + zeros, 10, 2) == "12.00");
}

TEST_CASE("DC-06: only JSON's grammar is a decimal") {
  CHECK(decimal_text("12", 10, 2) == "12.00");
  CHECK(decimal_text("1e1", 10, 2) == "10.00");
  for (const char* text :
       {"", " 12.30", "1,234.50", "+5", "0x1F", "NaN", "12.30.1", "\xef\xbc\x91\xef\xbc\x92", "1.", "."})
    CHECK(decimal_text(text, 10, 2) == "not a number");
}

TEST_CASE("decimals are written with all digits of their scale") {
  CHECK(format_decimal(0, 0) == "0");
  CHECK(format_decimal(-5, 0) == "-5");
  CHECK(format_decimal(0, 2) == "0.00");
  CHECK(format_decimal(-5, 2) == "-0.05");
  CHECK(format_decimal(1230, 2) == "12.30");
  CHECK(format_decimal(power_of_ten(38) - 1, 38) == "0." + std::string(38, '9'));
  CHECK(format_decimal(int128_min, 0) == "-170141183460469231731687303715884105728");
}

TEST_CASE("JS-07: a double that is too large is out of range, one that is too small is zero") {
  CHECK(parse_floating<double>("1e308").value == 1e308);
  CHECK(parse_floating<double>("5e-324").value == 5e-324);
  CHECK(parse_floating<double>("0.1").value == 0.1);
  CHECK(parse_floating<double>("-0.0").value == 0.0);
  CHECK(std::signbit(parse_floating<double>("-0.0").value));
  for (const char* text : {"1e400", "-1e400", "1e999999999", "0.0001e400", "1.8e308"})
    CHECK(parse_floating<double>(text).fault == number_fault::out_of_range);
  for (const char* text : {"1e-400", "0.0e999", "0.001e-999999999", "1e-325"}) {
    CHECK(parse_floating<double>(text).ok());
    CHECK(parse_floating<double>(text).value == 0);
  }
  CHECK(parse_floating<float>("1e39").fault == number_fault::out_of_range);
  CHECK(parse_floating<float>("0.1").value == 0.1f);
  for (const char* text : {"", "NaN", "inf", "0x1p3", "1.", ".5", "+1", "01"})
    CHECK(parse_floating<double>(text).fault == number_fault::not_a_number);
}

TEST_CASE("FL-07: doubles are written as the shortest text that reads back") {
  CHECK(format_floating(0.1) == "0.1");
  CHECK(format_floating(1e21) == "1e+21");
  CHECK(format_floating(5e-324) == "5e-324");
  CHECK(format_floating(-0.0) == "-0.0");
  CHECK(format_floating(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(format_floating(std::numeric_limits<double>::infinity()) == "Infinity");
  CHECK(format_floating(-std::numeric_limits<double>::infinity()) == "-Infinity");
}

TEST_CASE("base64 as in RFC 4648, section 10") {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    CHECK(encode_base64(bytes) == text);
    CHECK(decode_base64(text) == bytes);
  }
  for (const char* text : {"Zg=", "Zg", "Z===", "====", "Zh==", "Zm9=", "Zg==Zg==", "Zm9v\n", "Zm-_", "Zm 9"})
    CHECK_FALSE(decode_base64(text));
}
