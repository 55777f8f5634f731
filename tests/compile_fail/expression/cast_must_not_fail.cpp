// expect: this cast can fail; try_cast gives null then, checked_cast an invalid row
// names: etlantic::text
// names: long
// means: cast is for values that always fit. Say what happens to one that does not: try_cast gives null, checked_cast
// means: sends the row to the step's output `invalid`.
#include <etlantic/expression/cast.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>

using namespace etlantic;

struct Order {
  text quantity;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Order>("orders") | derive<"pieces">(cast<std::int64_t>(field<"quantity">));
#else
constexpr auto rows = from<Order>("orders") | derive<"pieces">(checked_cast<std::int64_t>(field<"quantity">));
#endif
