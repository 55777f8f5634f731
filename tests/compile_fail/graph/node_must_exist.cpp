// expect: this node reads from a node that the pipeline does not have
// names: "prices"
// names: "claen.rows"
// names: did_you_mean<etlantic::called<etlantic::fixed_string<6>{"clean"}>
// means: References are written node.port, and a node has the name of its member in the pipeline struct. The culprits
// means: are the reading node, what it reads, and the nearest node.
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
  load<Trade, "prices", "claen.rows"> prices;
};
#else
struct Prices {
  extract<Trade, "trades"> trades;
  step<Clean, "trades.valid"> clean;
  load<Trade, "prices", "clean.rows"> prices;
};
#endif

void check() { enforce(pipeline_verdict<Prices>{}); }
