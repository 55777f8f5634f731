// expect: a value must be a field, a constant, or an expression over these
// names: "net"
// names: discount
// means: Columns are computed by expressions: field<"name">, numbers, text, times, parameters, and operators over
// means: these. Other C++ values have no meaning there.
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

struct discount {
  double factor = 0.8;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = discount{});
#else
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = field<"price"> * discount{}.factor);
#endif
