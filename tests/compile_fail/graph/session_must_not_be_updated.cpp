// expect: sessions have no update mode: one that grows or joins another would leave its old row in the target; use append mode, or complete mode
// names: "visits"
// names: "find.visits"
// means: A session is known by its bounds, which move until it closes, so there is nothing by which a target could replace
// means: it. Append mode, which a load of sessions has by itself, publishes each once. The culprits are the load and the
// means: result that it reads.
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
  using key = primary_key<"user", "window_start">;
};
struct FindVisits {
  input<Click> clicks;
  output<Visit> visits;
};
constexpr auto implement(const FindVisits& t) {
  return t.clicks
       | watermark<"time">(1min)
       | group_by<"user">
       | session<"time">(30min)
       | aggregate<Visit>(named<"clicks"> = count());
}

#ifdef ETLANTIC_MUST_FAIL
struct Visits {
  extract<Click, "clicks"> clicks;
  step<FindVisits, "clicks.valid"> find;
  load<Visit, "visits", "find.visits", output_mode::update> visits;
};
#else
struct Visits {
  extract<Click, "clicks"> clicks;
  step<FindVisits, "clicks.valid"> find;
  load<Visit, "visits", "find.visits"> visits;
};
#endif

void check() { enforce(pipeline_verdict<Visits>{}); }
