// expect: the unions of a step must have one contract, since their late rows share one output; give each a step of its own
// names: CountBoth
// names: Trade
// names: Quote
// means: Rows that are late behind a union are rows of the union, and a step has one output for them. Put each union into
// means: a step of its own, or turn the rows of one into the contract of the other with select<...>(...).
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};
struct Quote {
  text symbol;
  double bid;
  timestamp time;
};
struct Count {
  timestamp window_start;
  std::int64_t count;
};

struct CountBoth {
  input<Trade> trades;
  input<Quote> quotes;
  output<Count> by_trade, by_quote;
};
constexpr auto implement(const CountBoth& t) {
  constexpr auto counts = aggregate<Count>(named<"count"> = count());
  const auto by_trade = union_all(t.trades | watermark<"time">(1s),
                                  t.quotes | select<Trade>(named<"price"> = field<"bid">) | watermark<"time">(1s)) |
                        tumbling<"time">(5s) | counts;
#ifdef ETLANTIC_MUST_FAIL
  const auto by_quote = union_all(t.trades | select<Quote>(named<"bid"> = field<"price">) | watermark<"time">(1s),
                                  t.quotes | watermark<"time">(1s)) |
                        tumbling<"time">(5s) | counts;
#else
  const auto by_quote = by_trade;
#endif
  return outputs(named<"by_trade"> = by_trade, named<"by_quote"> = by_quote);
}

struct Counts {
  extract<Trade, "trades"> trades;
  extract<Quote, "quotes"> quotes;
  step<CountBoth, "trades.valid", "quotes.valid"> both;
  load<Count, "by_trade", "both.by_trade"> by_trade;
  load<Count, "by_quote", "both.by_quote"> by_quote;
};

void check() { enforce(pipeline_verdict<Counts>{}); }
