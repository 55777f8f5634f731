// expect: the implementation gives other rows than the output port declares
// names: Clean
// names: Trade
// names: Price
// means: The rows at the end of the chain belong to another contract than the output port. The first contract is the
// means: one that the chain gives, the second the one that the port declares.
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>
#include <etlantic/graph/select.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Price {
  double price;
};
struct Clean {
  input<Trade> trades;
  output<Price> rows;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const Clean& t) { return t.trades | where(field<"price"> > 0.0); }
#else
constexpr auto implement(const Clean& t) { return t.trades | where(field<"price"> > 0.0) | select<Price>(); }
#endif

struct Prices {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> clean;
  load<Price, "prices", "clean.rows"> prices;
};

void check() { enforce(pipeline_verdict<Prices>{}); }
