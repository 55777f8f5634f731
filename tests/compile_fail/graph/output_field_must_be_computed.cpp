// expect: nothing gives a value to this field of the output contract
// names: Price
// names: "net"
// means: Each field of the output contract needs a value: a named expression, a field of the same name in the rows
// means: before (select), or a group key, window_start or window_end (aggregate). Name it, or take the field out of
// means: the contract.
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
constexpr auto rows = from<Trade>("trades") | select<Price>();
#else
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = field<"price"> * 0.8);
#endif
