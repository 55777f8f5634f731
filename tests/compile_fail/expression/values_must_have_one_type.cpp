// expect: no type can hold all the values that this expression may give
// names: "case_when"
// names: etlantic::text
// names: long
// means: The values of case_when, greatest and least must have one type: the same, or numbers that one type holds
// means: exactly (decimals of up to 38 digits, integers beside floating point). Cast the values that differ.
#include <etlantic/expression/choices.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>

using namespace etlantic;

struct Order {
  std::int64_t id;
  decimal<18, 2> total;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Order>("orders") | derive<"size">(case_when(field<"total"> > 1000, "large").otherwise(0));
#else
constexpr auto rows = from<Order>("orders") | derive<"size">(case_when(field<"total"> > 1000, "large").otherwise("small"));
#endif
