// expect: two nodes of this pipeline use the same asset
// names: "trades"
// names: node<etlantic::called<etlantic::fixed_string<7>{"prices"}>
// means: A pipeline that reads what it writes, or writes one asset twice, has no defined result. The culprits are the
// means: asset and the two nodes.
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
  load<Trade, "trades", "clean.rows"> prices;
};
#else
struct Prices {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> clean;
  load<Trade, "prices", "clean.rows"> prices;
};
#endif

void check() { enforce(pipeline_verdict<Prices>{}); }
