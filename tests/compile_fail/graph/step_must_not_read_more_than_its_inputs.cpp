// expect: this step reads more than its transformation has inputs
// names: "clean"
// names: "more_trades.valid"
// means: A step names one node.port for each input of its transformation, in order. The culprits are the step and the
// means: first reference that is too many.
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Clean {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Clean& t) { return t.trades | where(field<"price"> > 0.0); }

#ifdef ETLANTIC_MUST_FAIL
struct Prices {
  extract<Trade, "trades"> trades;
  extract<Trade, "more_trades"> more_trades;
  step<Clean, "trades.valid", "more_trades.valid"> clean;
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
