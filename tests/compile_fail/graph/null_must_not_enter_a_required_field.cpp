// expect: this value can be null, but its field in the output contract is required
// names: Price
// names: "net"
// means: A value is null where a field is std::optional, and where a division meets zero. Give it a default with
// means: coalesce, or make the field std::optional.
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
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = field<"price"> / 1.19);
#else
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = coalesce(field<"price"> / 1.19, 0.0));
#endif
