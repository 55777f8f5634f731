// expect: the delay of a watermark must not be negative
// names: "make"
// means: The delay is how long to wait for rows out of order; a negative one would call rows late before their time
// means: has come. The culprit is the step.
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

struct Bar {
  text symbol;
  timestamp window_start;
  double high;
};

#ifdef ETLANTIC_MUST_FAIL
struct MakeBars {
  input<Trade> trades;
  parameter<duration> delay{-1min};
  output<Bar> bars;
};
#else
struct MakeBars {
  input<Trade> trades;
  parameter<duration> delay{1min};
  output<Bar> bars;
};
#endif

constexpr auto implement(const MakeBars& t) {
  return t.trades
       | watermark<"time">(t.delay)
       | group_by<"symbol">
       | tumbling<"time">(1min)
       | aggregate<Bar>(named<"high"> = max(field<"price">));
}

struct Bars {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<Bar, "bars", "make.bars"> bars;
};

void check() { enforce(pipeline_verdict<Bars>{}); }
