// expect: the implementation gives no stream for this output port
// names: Split
// names: "dear"
// means: A transformation with several outputs returns outputs(...) with a stream for each of them. One stream alone
// means: is enough for one output only.
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Split {
  input<Trade> trades;
  output<Trade> cheap, dear;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const Split& t) {
  return outputs(named<"cheap"> = t.trades | where(field<"price"> < 10.0));
}
#else
constexpr auto implement(const Split& t) {
  return outputs(named<"cheap"> = t.trades | where(field<"price"> < 10.0),
                 named<"dear"> = t.trades | where(field<"price"> >= 10.0));
}
#endif

struct Prices {
  extract<Trade, "trades"> trades;
  step<Split, "trades.valid"> split;
  load<Trade, "cheap", "split.cheap"> cheap;
  load<Trade, "dear", "split.dear"> dear;
};

void check() { enforce(pipeline_verdict<Prices>{}); }
