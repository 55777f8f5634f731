// expect: this transformation has no implementation; declare implement(const T&) in its namespace, before the pipeline
// names: Clean
// means: implement is found by argument lookup, so it must stand in the namespace of the transformation and before
// means: the pipeline that uses it. It takes the transformation by const reference.
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

#ifdef ETLANTIC_MUST_FAIL
constexpr auto implementation(const Clean& t) { return t.trades | where(field<"price"> > 0.0); }
#else
constexpr auto implement(const Clean& t) { return t.trades | where(field<"price"> > 0.0); }
#endif

struct Prices {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> clean;
  load<Trade, "prices", "clean.rows"> prices;
};

void check() { enforce(pipeline_verdict<Prices>{}); }
