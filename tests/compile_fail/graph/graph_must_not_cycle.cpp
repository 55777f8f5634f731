// expect: these steps form a cycle
// names: cycle<etlantic::called<etlantic::fixed_string<6>{"check"}>, etlantic::called<etlantic::fixed_string<6>{"merge"}>, etlantic::called<etlantic::fixed_string<6>{"clean"}>
// means: Rows flow in one direction; a step cannot wait for its own result. The culprits are the steps of the cycle,
// means: each of which reads the one before it, and the first the last.
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Merge {
  input<Trade> trades, corrections;
  output<Trade> rows;
};
constexpr auto implement(const Merge& t) { return t.trades | where(field<"price"> > 0.0); }

struct Clean {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Clean& t) { return t.trades | where(field<"price"> > 0.0); }

#ifdef ETLANTIC_MUST_FAIL
struct Prices {
  extract<Trade, "trades"> trades;
  step<Merge, "trades.valid", "check.rows"> merge;
  step<Clean, "merge.rows"> clean;
  step<Clean, "clean.rows"> check;
  load<Trade, "prices", "check.rows"> prices;
};
#else
struct Prices {
  extract<Trade, "trades"> trades;
  extract<Trade, "corrections"> corrections;
  step<Merge, "trades.valid", "corrections.valid"> merge;
  step<Clean, "merge.rows"> clean;
  step<Clean, "clean.rows"> check;
  load<Trade, "prices", "check.rows"> prices;
};
#endif

void check() { enforce(pipeline_verdict<Prices>{}); }
