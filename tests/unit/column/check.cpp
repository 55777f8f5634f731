#include "support/catch.hpp"
#include "support/rows.hpp"

#include <etlantic/column/check.hpp>

#include <limits>
#include <string>

using namespace etlantic;

namespace {

const constant_description zero[] = {{}};
const constant_description two[] = {{.exact = 2}};
const constant_description half[] = {{.real = 0.5}};
const constant_description some[] = {{.exact = 1, .characters = "EUR"}, {.exact = 3, .characters = "USD"}};
const constraint_description above_zero[] = {{constraint_kind::gt, zero}};
const constraint_description between[] = {{constraint_kind::ge, zero}, {constraint_kind::lt, two}};
const constraint_description up_to_half[] = {{constraint_kind::le, half}};
const constraint_description two_characters[] = {{constraint_kind::min_length, two},
                                                 {constraint_kind::max_length, two}};
const constraint_description in_set[] = {{constraint_kind::one_of, some}};

field_description with(field_description field, std::span<const constraint_description> rules) {
  field.constraints = rules;
  return field;
}

std::string broken(const field_description& field, const test::cell& value) {
  const schema contract{.id = "rows", .version = "1.0.0", .fields = {&field, 1}};
  return text_of(check_row(test::make_block(contract, {{value}}), 0));
}

}  // namespace

TEST_CASE("bounds hold for integers, decimals, times and floating point in their own unit") {
  const auto count = with(test::plain_field("v", logical_type::int64), between);
  CHECK(broken(count, 0).empty());
  CHECK(broken(count, 1).empty());
  CHECK(broken(count, 2) == "v=constraint");
  CHECK(broken(count, -1) == "v=constraint");
  const auto large = with(test::plain_field("v", logical_type::uint64), above_zero);
  CHECK(broken(large, std::numeric_limits<std::uint64_t>::max()).empty());
  CHECK(broken(with(test::decimal_field("v", 38, 2), between), 1).empty());
  CHECK(broken(with(test::decimal_field("v", 38, 2), between), 2) == "v=constraint");
  CHECK(broken(with(test::plain_field("v", logical_type::timestamp), above_zero), timestamp{0}) == "v=constraint");
  const auto real = with(test::plain_field("v", logical_type::float64), up_to_half);
  CHECK(broken(real, 0.5).empty());
  CHECK(broken(real, 0.50001) == "v=constraint");
  CHECK(broken(real, std::numeric_limits<double>::quiet_NaN()) == "v=constraint");
}

TEST_CASE("lengths count characters, not bytes") {
  const auto text = with(test::plain_field("v", logical_type::text), two_characters);
  CHECK(broken(text, "\xc3\xa9\xe2\x82\xac").empty());
  CHECK(broken(text, "\xc3\xa9") == "v=constraint");
  CHECK(broken(text, "abc") == "v=constraint");
}

TEST_CASE("a value outside a set is named as such") {
  const auto currency = with(test::plain_field("v", logical_type::text), in_set);
  CHECK(broken(currency, "EUR").empty());
  CHECK(broken(currency, "GBP") == "v=not_in_set");
  const auto number = with(test::plain_field("v", logical_type::int32), in_set);
  CHECK(broken(number, 3).empty());
  CHECK(broken(number, 2) == "v=not_in_set");
}

TEST_CASE("null satisfies every constraint") {
  CHECK(broken(test::nullable(with(test::plain_field("v", logical_type::int64), above_zero)), nullptr).empty());
}

TEST_CASE("fields inside structs and lists are checked and named by their place") {
  const field_description inner[] = {with(test::plain_field("x", logical_type::int64), above_zero)};
  const auto list = test::nested_field("items", logical_type::list, inner);
  CHECK(broken(list, std::vector<test::cell>{1, 0, 2, -1}) == "items[1]=constraint;items[3]=constraint");
  const auto point = test::nested_field("point", logical_type::structure, inner);
  CHECK(broken(point, std::vector<test::cell>{0}) == "point.x=constraint");
}
