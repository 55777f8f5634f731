// expect: these loads publish one result in different output modes
// names: "bars"
// names: "live"
// means: A result is computed once, in one mode, and given to all its loads. Use one mode for both, or two steps.
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

struct MakeBars {
  input<Trade> trades;
  output<Bar> bars;
};
constexpr auto implement(const MakeBars& t) {
  return t.trades
       | watermark<"time">(1min)
       | group_by<"symbol">
       | tumbling<"time">(1min)
       | aggregate<Bar>(named<"high"> = max(field<"price">));
}

#ifdef ETLANTIC_MUST_FAIL
struct Prices {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<Bar, "bars", "make.bars", output_mode::append> bars;
  load<Bar, "live_bars", "make.bars", output_mode::update> live;
};
#else
struct Prices {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<Bar, "bars", "make.bars", output_mode::append> bars;
  load<Bar, "live_bars", "make.bars", output_mode::append> live;
};
#endif

void check() { enforce(pipeline_verdict<Prices>{}); }
