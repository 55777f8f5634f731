// expect: the two ends of this edge have different contracts
// names: "clean"
// names: "quotes.valid"
// names: Quote
// names: Trade
// means: The rows that leave one node are not those that the other takes, even if some fields are alike. The first
// means: contract is what the port gives, the second what the reader takes; put a step with a select between them.
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Quote {
  text symbol;
  double bid, ask;
};

struct Clean {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Clean& t) { return t.trades | where(field<"price"> > 0.0); }

#ifdef ETLANTIC_MUST_FAIL
struct Prices {
  extract<Quote, "quotes"> quotes;
  step<Clean, "quotes.valid"> clean;
  load<Trade, "prices", "clean.rows"> prices;
};
#else
struct Prices {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> clean;
  load<Trade, "prices", "clean.rows"> prices;
};
#endif

void check() { enforce(pipeline_verdict<Prices>{}); }
