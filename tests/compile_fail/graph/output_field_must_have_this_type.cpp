// expect: this value has a different type than its field in the output contract
// names: Price
// names: "net"
// names: etlantic::text
// names: double
// means: Values are never converted silently, except to a wider type of the same kind. The first type is that of the
// means: value, the second that of the field.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/select.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Price {
  text symbol;
  double price;
  double net;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = field<"symbol">);
#else
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = field<"price">);
#endif
