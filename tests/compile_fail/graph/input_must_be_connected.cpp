// expect: this step has an input that nothing is connected to
// names: "clean"
// names: "trades"
// means: A step names one node.port for each input of its transformation, in order. The culprits are the step and its
// means: first input without one.
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
  step<Clean> clean;
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
