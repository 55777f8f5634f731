// expect: an aggregation over the rows of another one needs final rows; give the first one a watermark and a window
// names: "count"
// names: "find.rows"
// means: A second aggregation counts each row of the first once, so the first may give out only rows that no later
// means: batch changes. That is the case when it has a window of an event time with a watermark.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time;
};

struct Highest {
  text symbol;
  double high;
};
struct FindHighest {
  input<Trade> trades;
  output<Highest> rows;
};
struct Counted {
  double high;
  std::int64_t times;
};
struct CountHighest {
  input<Highest> highest;
  output<Counted> rows;
};
constexpr auto implement(const CountHighest& t) {
  return t.highest | group_by<"high"> | aggregate<Counted>(named<"times"> = count());
}

#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const FindHighest& t) {
  return t.trades
       | group_by<"symbol">
       | aggregate<Highest>(named<"high"> = max(field<"price">));
}
#else
constexpr auto implement(const FindHighest& t) {
  return t.trades
       | watermark<"time">(1min)
       | group_by<"symbol">
       | tumbling<"time">(1min)
       | aggregate<Highest>(named<"high"> = max(field<"price">));
}
#endif

struct Prices {
  extract<Trade, "trades"> trades;
  step<FindHighest, "trades.valid"> find;
  step<CountHighest, "find.rows"> count;
  load<Counted, "counted", "count.rows", output_mode::update> counted;
};

void check() { enforce(pipeline_verdict<Prices>{}); }
