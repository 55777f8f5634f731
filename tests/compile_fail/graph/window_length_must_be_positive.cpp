// expect: the length of a window must be greater than zero
// names: "make"
// means: A window of no length or of negative length holds nothing. The culprit is the step whose parameters give it.
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
  parameter<duration> length{0min};
  output<Bar> bars;
};
#else
struct MakeBars {
  input<Trade> trades;
  parameter<duration> length{1min};
  output<Bar> bars;
};
#endif

constexpr auto implement(const MakeBars& t) {
  return t.trades
       | watermark<"time">(1min)
       | group_by<"symbol">
       | tumbling<"time">(t.length)
       | aggregate<Bar>(named<"high"> = max(field<"price">));
}

struct Bars {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<Bar, "bars", "make.bars"> bars;
};

void check() { enforce(pipeline_verdict<Bars>{}); }
