// expect: aggregate functions such as count, sum, min, max and avg work in an aggregate only
// names: "net"
// names: "price"
// means: select and derive compute one row from one row; aggregate functions look at many. Put an aggregate (and
// means: usually a group_by) into the chain.
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
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = max(field<"price">));
#else
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = field<"price">);
#endif
