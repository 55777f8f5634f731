// expect: the implementation names an output port that the transformation does not have
// names: Split
// names: "deer"
// names: did_you_mean<etlantic::called<etlantic::fixed_string<5>{"dear"}>
// means: The names in outputs(...) are those of the transformation's output members. Correct the name, or add the
// means: member.
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
  return outputs(named<"cheap"> = t.trades | where(field<"price"> < 10.0),
                 named<"deer"> = t.trades | where(field<"price"> >= 10.0));
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
