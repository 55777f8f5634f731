#include "support.hpp"

#include <etlantic/connect/delta/statistics.hpp>

#include <limits>

using namespace etlantic;
using namespace etlantic::test;

namespace {

std::string statistics_of_one(const field_description& field, const std::vector<cell>& values) {
  const field_description fields[] = {field};
  const schema described{.id = "s", .version = "1", .fields = fields};
  std::vector<std::vector<cell>> rows;
  for (const cell& each : values) rows.push_back({each});
  const block made = make_block(described, rows);
  return delta::statistics_of(described, std::span(&made, 1));
}

std::string bounds(const std::string& least, const std::string& greatest, int rows, int nulls = 0) {
  const auto object = [](const std::string& value) {
    return value.empty() ? std::string("{}") : "{\"x\":" + value + "}";
  };
  return "{\"numRecords\":" + std::to_string(rows) + ",\"minValues\":" + object(least) +
         ",\"maxValues\":" + object(greatest) + ",\"nullCount\":{\"x\":" + std::to_string(nulls) + "}}";
}

field_description x(logical_type type) { return nullable(plain_field("x", type)); }

}  // namespace

TEST_CASE("DL-19: times are rounded to milliseconds, the least down and the greatest up") {
  CHECK(statistics_of_one(x(logical_type::timestamp), {std::int64_t{123'456}}) ==
        bounds("\"1970-01-01T00:00:00.123Z\"", "\"1970-01-01T00:00:00.124Z\"", 1));
  CHECK(statistics_of_one(x(logical_type::timestamp), {std::int64_t{123'000}}) ==
        bounds("\"1970-01-01T00:00:00.123Z\"", "\"1970-01-01T00:00:00.123Z\"", 1));
  CHECK(statistics_of_one(x(logical_type::timestamp), {std::int64_t{-1}}) ==
        bounds("\"1969-12-31T23:59:59.999Z\"", "\"1970-01-01T00:00:00.000Z\"", 1));
  CHECK(statistics_of_one(x(logical_type::timestamp), {std::numeric_limits<std::int64_t>::max()}) == bounds("", "", 1));
}

TEST_CASE("DL-20: long texts are cut at 32 characters, and the greatest ends above every continuation") {
  const std::string a(32, 'a');
  CHECK(statistics_of_one(x(logical_type::text), {a + "aaaaaaaa", a + "z"}) ==
        bounds('"' + a + '"', '"' + a + "\xf4\x8f\xbf\xbf\"", 2));
  CHECK(statistics_of_one(x(logical_type::text), {a}) == bounds('"' + a + '"', '"' + a + '"', 1));
  std::string umlauts;
  for (int i = 0; i < 33; ++i) umlauts += "\xc3\xa4";
  CHECK(statistics_of_one(x(logical_type::text), {umlauts}) ==
        bounds('"' + umlauts.substr(0, 64) + '"', '"' + umlauts.substr(0, 64) + "\xf4\x8f\xbf\xbf\"", 1));
  CHECK(statistics_of_one(x(logical_type::text), {a + "\xf4\x8f\xbf\xbf"
                                                      "b"}) == bounds("", "", 1));
  CHECK(statistics_of_one(x(logical_type::text), {"a\"\\\n", nullptr}) ==
        bounds("\"a\\\"\\\\\\n\"", "\"a\\\"\\\\\\n\"", 2, 1));
}

TEST_CASE("delta: statistics of numbers are exact, and NaN and the infinities have none") {
  CHECK(statistics_of_one(x(logical_type::int64), {std::numeric_limits<std::int64_t>::min(), nullptr, 5}) ==
        bounds("-9223372036854775808", "5", 3, 1));
  CHECK(statistics_of_one(x(logical_type::int8), {-3, 7}) == bounds("-3", "7", 2));
  CHECK(statistics_of_one(nullable(decimal_field("x", 18, 2)), {-5, 1230}) == bounds("-0.05", "12.30", 2));
  CHECK(statistics_of_one(nullable(decimal_field("x", 38, 0)), {int128{1} << 100}) ==
        bounds("1267650600228229401496703205376", "1267650600228229401496703205376", 1));
  CHECK(statistics_of_one(x(logical_type::float64), {0.1, -2.5}) == bounds("-2.5", "0.1", 2));
  CHECK(statistics_of_one(x(logical_type::float64), {0.1, std::numeric_limits<double>::quiet_NaN()}) ==
        bounds("", "", 2));
  CHECK(statistics_of_one(x(logical_type::float64), {-std::numeric_limits<double>::infinity()}) == bounds("", "", 1));
  CHECK(statistics_of_one(x(logical_type::date), {date{19000}, date{-1}}) ==
        bounds("\"1969-12-31\"", "\"2022-01-08\"", 2));
  CHECK(statistics_of_one(x(logical_type::boolean), {true, nullptr}) == bounds("", "", 2, 1));
  CHECK(statistics_of_one(x(logical_type::binary), {"x"}) == bounds("", "", 1));
  CHECK(statistics_of_one(x(logical_type::int32), {nullptr, nullptr}) == bounds("", "", 2, 2));
}

TEST_CASE("delta: statistics nest as the columns do, and a null struct is null in all of its fields") {
  const field_description inner[] = {x(logical_type::int64), nullable(plain_field("y", logical_type::text))};
  const field_description element[] = {plain_field("element", logical_type::int64)};
  const field_description fields[] = {nullable(nested_field("s", logical_type::structure, inner)),
                                      nullable(nested_field("l", logical_type::list, element))};
  const schema described{.id = "s", .version = "1", .fields = fields};
  const block made = make_block(described, {{std::vector<cell>{4, "b"}, std::vector<cell>{1, 2}},
                                            {nullptr, nullptr},
                                            {std::vector<cell>{2, nullptr}, std::vector<cell>{}}});
  CHECK(
      delta::statistics_of(described, std::span(&made, 1)) ==
      R"({"numRecords":3,"minValues":{"s":{"x":2,"y":"b"}},"maxValues":{"s":{"x":4,"y":"b"}},"nullCount":{"s":{"x":1,"y":2},"l":1}})");
}

TEST_CASE("delta: no more than 32 columns are counted") {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back("c" + std::to_string(i));
  std::vector<field_description> fields;
  for (const std::string& each : names) fields.push_back(plain_field(each, logical_type::int64));
  const schema described{.id = "s", .version = "1", .fields = fields};
  const block made = make_block(described, {std::vector<cell>(40, cell(1))});
  const std::string text = delta::statistics_of(described, std::span(&made, 1));
  CHECK(text.find("\"c31\"") != std::string::npos);
  CHECK(text.find("\"c32\"") == std::string::npos);
}

TEST_CASE("delta: ranges of statistics hold all values that they were made of") {
  const field_description time = plain_field("x", logical_type::timestamp);
  // As others cut it: the greatest value of the file is ...123456.
  const auto range = delta::range_in_statistics(
      R"({"minValues":{"x":"1970-01-01T00:00:00.100Z"},"maxValues":{"x":"1970-01-01T00:00:00.123Z"}})", time);
  REQUIRE(range.has_value());
  CHECK(range->overlaps({int128{123'456}, int128{123'456}}));
  CHECK_FALSE(range->overlaps({int128{124'000}, int128{124'000}}));
  CHECK_FALSE(range->overlaps({int128{99'999}, int128{99'999}}));
  const auto zoned = delta::range_in_statistics(
      R"({"minValues":{"x":"1970-01-01T01:00:00.000+01:00"},"maxValues":{"x":"1970-01-01T01:00:00.000+01:00"}})", time);
  REQUIRE(zoned.has_value());
  CHECK(zoned->overlaps({int128{0}, int128{0}}));
  const field_description decimal = decimal_field("x", 20, 3);
  const auto exact = delta::range_in_statistics(
      R"({"minValues":{"x":1234567890123456.001},"maxValues":{"x":1234567890123456.002}})", decimal);
  REQUIRE(exact.has_value());
  CHECK_FALSE(exact->overlaps({int128{1234567890123456003}, int128{1234567890123456003}}));
  CHECK(exact->overlaps({int128{1234567890123456002}, int128{1234567890123456005}}));
  for (const char* nothing :
       {"", "not JSON", "{}", R"({"minValues":{"x":1}})", R"({"minValues":{"x":"a"},"maxValues":{"x":"b"}})"})
    CHECK_FALSE(delta::range_in_statistics(nothing, decimal).has_value());
}
