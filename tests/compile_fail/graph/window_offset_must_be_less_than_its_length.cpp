// expect: the offset of a window must be less than its length, in either direction
// names: "make"
// means: The offset moves where windows begin within one length; more than that says the same twice and is most
// means: likely a mistake. The culprit is the step.
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
  parameter<duration> offset{90s};
  output<Bar> bars;
};
#else
struct MakeBars {
  input<Trade> trades;
  parameter<duration> offset{30s};
  output<Bar> bars;
};
#endif

constexpr auto implement(const MakeBars& t) {
  return t.trades
       | watermark<"time">(1min)
       | group_by<"symbol">
       | tumbling<"time">(1min, t.offset)
       | aggregate<Bar>(named<"high"> = max(field<"price">));
}

struct Bars {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<Bar, "bars", "make.bars"> bars;
};

void check() { enforce(pipeline_verdict<Bars>{}); }
