// expect: the exact result of this arithmetic needs more than 38 digits
// names: "*"
// names: decimal<20, 2>
// names: digits_needed<41>
// means: A product has the digits of both factors and one more, a sum one more than the longer side; beyond 38 digits
// means: no exact type is left. Declare the fields with the digits that they really need.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
struct Position {
  decimal<20, 2> price;
  decimal<20, 2> quantity;
};
constexpr auto rows = from<Position>("positions") | derive<"value">(field<"price"> * field<"quantity">);
#else
struct Position {
  decimal<12, 2> price;
  decimal<12, 2> quantity;
};
constexpr auto rows = from<Position>("positions") | derive<"value">(field<"price"> * field<"quantity">);
#endif
