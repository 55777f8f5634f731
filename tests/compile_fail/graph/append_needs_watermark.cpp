// expect: append mode over an unbounded aggregation needs a watermark; add watermark<"field">(delay) before it, or use update mode
// names: "highest"
// names: "find.rows"
// means: Append mode publishes a row once, when it is final, and without a watermark on its event time no group ever
// means: is. The culprits are the load and the result that it reads.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Highest {
  text symbol;
  double high;
  using key = primary_key<"symbol">;
};
struct FindHighest {
  input<Trade> trades;
  output<Highest> rows;
};
constexpr auto implement(const FindHighest& t) {
  return t.trades | group_by<"symbol"> | aggregate<Highest>(named<"high"> = max(field<"price">));
}

#ifdef ETLANTIC_MUST_FAIL
struct Prices {
  extract<Trade, "trades"> trades;
  step<FindHighest, "trades.valid"> find;
  load<Highest, "highest", "find.rows", output_mode::append> highest;
};
#else
struct Prices {
  extract<Trade, "trades"> trades;
  step<FindHighest, "trades.valid"> find;
  load<Highest, "highest", "find.rows", output_mode::update> highest;
};
#endif

void check() { enforce(pipeline_verdict<Prices>{}); }
