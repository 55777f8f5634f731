// expect: the gap of a session must be greater than zero
// names: "find"
// means: With a gap of zero no row would have a session. The culprit is the step whose parameters give it.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Click {
  text user;
  timestamp time;
};

struct Visit {
  text user;
  timestamp window_start;
  std::int64_t clicks;
};

#ifdef ETLANTIC_MUST_FAIL
struct FindVisits {
  input<Click> clicks;
  parameter<duration> gap{0s};
  output<Visit> visits;
};
#else
struct FindVisits {
  input<Click> clicks;
  parameter<duration> gap{30min};
  output<Visit> visits;
};
#endif

constexpr auto implement(const FindVisits& t) {
  return t.clicks
       | watermark<"time">(1min)
       | group_by<"user">
       | session<"time">(t.gap)
       | aggregate<Visit>(named<"clicks"> = count());
}

struct Visits {
  extract<Click, "clicks"> clicks;
  step<FindVisits, "clicks.valid"> find;
  load<Visit, "visits", "find.visits"> visits;
};

void check() { enforce(pipeline_verdict<Visits>{}); }
