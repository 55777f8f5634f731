// expect: the newest row of a key replaces the one before it; publish what latest_by gives in update mode, into a contract whose primary key is that key
// names: "found"
// names: "work.rows"
// means: Each row that comes out is the newest of its key for now. Appended, the ones that it replaces would stay
// means: beside it, and so they would if the primary key of the target had other fields than those of latest_by.
#include <etlantic/graph/latest_by.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time;
  using key = primary_key<"symbol">;
};
struct Work {
  input<Trade> trades;
  output<Trade> rows;
};
constexpr auto implement(const Work& t) { return t.trades | watermark<"time">(1min) | latest_by<"symbol">; }

#ifdef ETLANTIC_MUST_FAIL
constexpr output_mode mode = output_mode::append;
#else
constexpr output_mode mode = output_mode::update;
#endif

struct Pipeline {
  extract<Trade, "trades"> trades;
  step<Work, "trades.valid"> work;
  load<Trade, "found", "work.rows", mode> found;
};

void check() { enforce(pipeline_verdict<Pipeline>{}); }
