// expect: the rows of top, lag and process are published in append mode only
// names: "found"
// names: "work.rows"
// means: They never change, and are not kept once they have come out, so there is nothing to update or to repeat.
#include <etlantic/graph/lag.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time;
  using key = primary_key<"symbol", "time">;
};
struct Work {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Work& t) { return t.trades | watermark<"time">(1min) | lag<"price">; }

#ifdef ETLANTIC_MUST_FAIL
constexpr output_mode mode = output_mode::update;
#else
constexpr output_mode mode = output_mode::append;
#endif

struct Pipeline {
  extract<Trade, "trades"> trades;
  step<Work, "trades.valid"> work;
  load<Trade, "found", "work.rows", mode> found;
};

void check() { enforce(pipeline_verdict<Pipeline>{}); }
