// expect: a member of a pipeline must be an extract, a step or a load
// names: Prices
// names: "batch_size"
// names: int
// means: Everything in a pipeline struct is a node. Settings are parameters of transformations, or belong into the
// means: profile.
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
  step<Clean, "trades.valid"> clean;
  load<Trade, "prices", "clean.rows"> prices;
  int batch_size = 100;
};
#else
struct Prices {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> clean;
  load<Trade, "prices", "clean.rows"> prices;
};
#endif

void check() { enforce(pipeline_verdict<Prices>{}); }
