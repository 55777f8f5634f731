// expect: the output contract has no field with this name
// names: Price
// names: "nett"
// names: did_you_mean<etlantic::called<etlantic::fixed_string<4>{"net"}>
// means: A named value has no place in the output contract. Correct the name, or add the field to the contract.
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
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"nett"> = field<"price"> * 0.8);
#else
constexpr auto rows = from<Trade>("trades") | select<Price>(named<"net"> = field<"price"> * 0.8);
#endif
