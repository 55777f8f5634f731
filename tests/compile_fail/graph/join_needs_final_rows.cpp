// expect: a join needs final rows; give the aggregation that it reads from a watermark and a window
// names: "find"
// means: A join keeps the rows that it got. Those of an aggregation without a window may be replaced by later ones.
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

struct Raw {
  std::int64_t ad;
  timestamp at;
};

struct Click {
  std::int64_t ad;
  timestamp clicked_at;
};

struct Clicked {
  std::int64_t ad;
  timestamp shown_at;
  timestamp clicked_at;
};

struct LastClicks {
  input<Raw> raw;
  output<Click> last;
};
#ifdef ETLANTIC_MUST_FAIL
constexpr auto implement(const LastClicks& t) {
  return t.raw | group_by<"ad"> | aggregate<Click>(named<"clicked_at"> = max(field<"at">));
}
#else
constexpr auto implement(const LastClicks& t) {
  return t.raw | watermark<"at">(1min) | group_by<"ad"> | tumbling<"at">(1min) |
         aggregate<Click>(named<"clicked_at"> = max(field<"at">));
}
#endif

struct FindClicks {
  input<Impression> impressions;
  input<Click> clicks;
  output<Clicked> found;
};
constexpr auto implement(const FindClicks& t) {
  return inner_join(t.impressions | watermark<"shown_at">(10s), t.clicks | watermark<"clicked_at">(20s), on<"ad">,
                    within(0s, 1h)) |
         select<Clicked>();
}

struct Clicks {
  extract<Impression, "impressions"> impressions;
  extract<Raw, "raw"> raw;
  step<LastClicks, "raw.valid"> clicks;
  step<FindClicks, "impressions.valid", "clicks.last"> find;
  load<Clicked, "found", "find.found"> found;
};

void check() { enforce(pipeline_verdict<Clicks>{}); }
