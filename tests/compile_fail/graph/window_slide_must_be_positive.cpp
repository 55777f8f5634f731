// expect: the slide of a window must be greater than zero
// names: "make"
// means: Sliding windows begin every slide; without one they would all begin at once. The culprit is the step whose
// means: parameters give it.
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
  parameter<duration> slide{0s};
  output<Bar> bars;
};
#else
struct MakeBars {
  input<Trade> trades;
  parameter<duration> slide{10s};
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
