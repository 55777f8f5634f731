// expect: the streams of a union must have watermarks on the same field of its contract, or none at all
// names: Trade
// means: The rows of a union have one event time, which closes their windows. Declare the watermark of every stream on
// means: that field, each with the delay of its own; or declare one for all of them behind the union.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/graph/where.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time, received;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = union_all(input<Trade>{} | watermark<"time">(1min), input<Trade>{1} | watermark<"received">(5s));
#else
constexpr auto rows = union_all(input<Trade>{} | watermark<"time">(1min), input<Trade>{1} | watermark<"time">(5s));
#endif
