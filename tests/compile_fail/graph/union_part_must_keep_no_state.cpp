// expect: the streams of a union must not aggregate, deduplicate, join or unite; do it behind the union or in a step of its own
// names: Counts
// means: What stands before a union works on single rows. Results of an aggregation go through a step of their own, whose
// means: output the step with the union reads.
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

struct Counts {
  text symbol;
  std::int64_t count;
};

constexpr auto counts = input<Trade>{} | group_by<"symbol"> | aggregate<Counts>(named<"count"> = count());
#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = union_all(counts, input<Counts>{1});
#else
constexpr auto rows = union_all(input<Counts>{}, input<Counts>{1});
#endif
