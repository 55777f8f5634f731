// expect: a deduplication of the rows of an aggregation needs final rows; give that one a watermark and a window
// names: "make"
// means: A deduplication gives on the first row of a key for good, so the aggregation before it may give out only rows
// means: that no later batch changes. That is the case when it has a window of an event time with a watermark.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/deduplicate.hpp>
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
struct NewHighs {
  input<Trade> trades;
  output<Highest> rows;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const NewHighs& t) {
  return t.trades | group_by<"symbol"> | aggregate<Highest>(named<"high"> = max(field<"price">)) |
         deduplicate<"symbol", "high">.keeping_every_key();
}
#else
constexpr auto implement(const NewHighs& t) {
  return t.trades | watermark<"time">(1min) | group_by<"symbol"> | tumbling<"time">(1min) |
         aggregate<Highest>(named<"high"> = max(field<"price">)) | deduplicate<"symbol", "high">.keeping_every_key();
}
#endif

struct Prices {
  extract<Trade, "trades"> trades;
  step<NewHighs, "trades.valid"> make;
  load<Highest, "highs", "make.rows"> highs;
};

void check() { enforce(pipeline_verdict<Prices>{}); }
