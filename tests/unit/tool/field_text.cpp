#include <etlantic/tool/field_text.hpp>

#include "support/catch.hpp"

using namespace etlantic;

namespace {

constexpr std::string_view colours[] = {"red", "green"};
constexpr field_description element[] = {{.name = "element", .type = logical_type::text, .nullable = true}};
constexpr field_description members[] = {{.name = "city", .type = logical_type::text},
                                         {.name = "zip", .type = logical_type::int32, .nullable = true}};

std::string bound(const field_description& field, constraint_kind kind, constant_description value) {
  const constant_description values[] = {value};
  return constraint_text(field, {kind, values});
}

}  // namespace

TEST_CASE("types are written with what belongs to them") {
  CHECK(type_text({.type = logical_type::int64}) == "int64");
  CHECK(type_text({.type = logical_type::int64, .nullable = true}) == "int64?");
  CHECK(type_text({.type = logical_type::decimal, .precision = 18, .scale = 2}) == "decimal(18,2)");
  CHECK(type_text({.type = logical_type::decimal, .rounds = true, .precision = 38, .scale = 0}) ==
        "decimal(38,0) rounded");
  CHECK(type_text({.type = logical_type::enumeration, .enumerators = colours}) == "enum(red|green)");
  CHECK(type_text({.type = logical_type::list, .children = element}) == "list<text?>");
  CHECK(type_text({.type = logical_type::structure, .children = members}) == "struct{city text, zip int32?}");
}

TEST_CASE("bounds are written in the unit of their field") {
  CHECK(bound({.type = logical_type::int64}, constraint_kind::gt, {.exact = -5}) == "> -5");
  CHECK(bound({.type = logical_type::decimal, .precision = 18, .scale = 2}, constraint_kind::ge, {.exact = 5}) ==
        ">= 0.05");
  CHECK(bound({.type = logical_type::float64}, constraint_kind::lt, {.real = 0.1}) == "< 0.1");
  CHECK(bound({.type = logical_type::timestamp}, constraint_kind::ge, {.exact = 1'767'225'600'000'000}) ==
        ">= 2026-01-01T00:00:00Z");
  CHECK(bound({.type = logical_type::date}, constraint_kind::le, {.exact = 20454}) == "<= 2026-01-01");
  CHECK(bound({.type = logical_type::duration}, constraint_kind::le, {.exact = 3'600'000'000}) == "<= 1h");
  CHECK(bound({.type = logical_type::text}, constraint_kind::max_length, {.exact = 40}) == "at most 40 characters");
  CHECK(bound({.type = logical_type::enumeration, .enumerators = colours}, constraint_kind::one_of, {.exact = 1}) ==
        "one of (green)");
  const constant_description words[] = {{.characters = "a"}, {.characters = "b"}};
  CHECK(constraint_text({.type = logical_type::text}, {constraint_kind::one_of, words}) == "one of (a, b)");
}
