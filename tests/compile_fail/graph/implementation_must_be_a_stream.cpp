// expect: an implementation must return a stream, or outputs(...) of streams
// names: Clean
// names: "rows"
// means: The stream that implement returns feeds the output port. A predicate alone, a port or a step that has no
// means: stream in front of it says nothing about where rows come from.
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
constexpr auto implement(const Clean&) { return where(field<"price"> > 0.0); }
#else
constexpr auto implement(const Clean& t) { return t.trades | where(field<"price"> > 0.0); }
#endif

struct Prices {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> clean;
  load<Trade, "prices", "clean.rows"> prices;
};

void check() { enforce(pipeline_verdict<Prices>{}); }
