// expect: this contract has no field with this name
// names: "prcie"
// names: did_you_mean<etlantic::called<etlantic::fixed_string<6>{"price"}>
// One wrong name in an implementation is one error, whatever is built upon it.
#include <etlantic/etlantic.hpp>

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
  using key = primary_key<"symbol", "window_start">;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto wanted = field<"prcie"> > 10.0;
#else
constexpr auto wanted = field<"price"> > 10.0;
#endif

struct MakeBars {
  input<Trade> trades;
  output<Bar> bars;
};
constexpr auto implement(const MakeBars& t) {
  return t.trades
       | watermark<"time">(1min)
       | where(wanted)
       | group_by<"symbol">
       | tumbling<"time">(1min)
       | aggregate<Bar>(named<"high"> = max(field<"price">));
}

struct Smooth {
  input<Bar> bars;
  output<Bar> rows;
};
constexpr auto implement(const Smooth& t) { return t.bars | where(field<"high"> > 0.0); }

struct Bars {
  extract<Trade, "trades"> trades;
  step<MakeBars, "trades.valid"> make;
  step<Smooth, "make.bars"> smooth;
  load<Bar, "bars", "smooth.rows"> bars;
  load<Bar, "raw_bars", "make.bars", output_mode::append> raw;
  load<late<Trade>, "late_trades", "make.late"> late_trades;
};

int main(int argc, char** argv) {
  [[maybe_unused]] const auto lowered = lower<Bars>();
  [[maybe_unused]] const auto running = start<Bars>(profile{});
  [[maybe_unused]] const auto done = run(Bars{}, profile{});
  return etlantic::main<Bars>(argc, argv);
}
