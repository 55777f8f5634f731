// expect: no time lies within the bounds of this join
// names: "find"
// means: The first bound of within must not be greater than the second one.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Impression {
  std::int64_t ad;
  timestamp shown_at;
  text place;
};

struct Click {
  std::int64_t ad;
  timestamp clicked_at;
  text place;
};

struct Clicked {
  std::int64_t ad;
  timestamp shown_at;
  timestamp clicked_at;
};

struct FindClicks {
  input<Impression> impressions;
  input<Click> clicks;
  output<Clicked> found;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const FindClicks& t) {
  return inner_join(t.impressions | watermark<"shown_at">(10s), t.clicks | watermark<"clicked_at">(20s), on<"ad">,
                    within(1h, 0s)) |
         select<Clicked>();
}
#else
constexpr auto implement(const FindClicks& t) {
  return inner_join(t.impressions | watermark<"shown_at">(10s), t.clicks | watermark<"clicked_at">(20s), on<"ad">,
                    within(0s, 1h)) |
         select<Clicked>();
}
#endif

struct Clicks {
  extract<Impression, "impressions"> impressions;
  extract<Click, "clicks"> clicks;
  step<FindClicks, "impressions.valid", "clicks.valid"> find;
  load<Clicked, "found", "find.found"> found;
};

void check() { enforce(pipeline_verdict<Clicks>{}); }
