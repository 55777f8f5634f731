// expect: this contract has no field with this name
// names: Trade
// names: "prcie"
// names: did_you_mean<etlantic::called<etlantic::fixed_string<6>{"price"}>
// means: An expression names a field that the rows do not have at this place of the chain. Fields are members of the
// means: contract or of the last select or aggregate, and columns added by derive.
#include <etlantic/graph/where.hpp>
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

#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const MakeBars& t) {
  return t.trades
       | watermark<"time">(1min)
       | where(field<"prcie"> > 10.0)
       | group_by<"symbol">
       | tumbling<"time">(1min)
       | aggregate<Bar>(named<"high"> = max(field<"price">));
}
#else
constexpr auto implement(const MakeBars& t) {
  return t.trades
       | watermark<"time">(1min)
       | where(field<"price"> > 10.0)
       | group_by<"symbol">
       | tumbling<"time">(1min)
       | aggregate<Bar>(named<"high"> = max(field<"price">));
}
#endif

struct Bars {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  load<Bar, "bars", "make.bars"> bars;
};

void check() { enforce(pipeline_verdict<Bars>{}); }
