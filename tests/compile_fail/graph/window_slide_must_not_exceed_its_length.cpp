// expect: the slide of a window must not be greater than its length: rows between windows would vanish
// names: "make"
// means: A row whose time lies between the end of a window and the start of the next would be in none. Where only some of
// means: the time matters, say so with a filter. The culprit is the step.
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
  parameter<duration> slide{2min};
  output<Bar> bars;
};
#else
struct MakeBars {
  input<Trade> trades;
  parameter<duration> slide{1min};
  output<Bar> bars;
};
#endif

constexpr auto implement(const MakeBars& t) {
  return t.trades
       | watermark<"time">(1min)
       | group_by<"symbol">
       | sliding<"time">(1min, t.slide)
       | aggregate<Bar>(named<"high"> = max(field<"price">));
}

struct Bars {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<Bar, "bars", "make.bars"> bars;
};

void check() { enforce(pipeline_verdict<Bars>{}); }
