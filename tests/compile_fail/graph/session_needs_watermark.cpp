// expect: sessions in append mode need a watermark that closes them; add watermark<"field">(delay) before the session, or use complete mode
// names: "visits"
// names: "find.visits"
// means: Without a watermark a later row could always join a session, so that none would ever be final. The culprits are
// means: the load and the result that it reads.
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
struct FindVisits {
  input<Click> clicks;
  output<Visit> visits;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const FindVisits& t) {
  return t.clicks
       | group_by<"user">
       | session<"time">(30min)
       | aggregate<Visit>(named<"clicks"> = count());
}
#else
constexpr auto implement(const FindVisits& t) {
  return t.clicks
       | watermark<"time">(1min)
       | group_by<"user">
       | session<"time">(30min)
       | aggregate<Visit>(named<"clicks"> = count());
}
#endif

struct Visits {
  extract<Click, "clicks"> clicks;
  step<FindVisits, "clicks.valid"> find;
  load<Visit, "visits", "find.visits"> visits;
};

void check() { enforce(pipeline_verdict<Visits>{}); }
