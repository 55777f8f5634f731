// expect: the rows of a join are published in append mode only
// names: "found"
// names: "find.found"
// means: Joined rows never change, and are not kept once they have come out, so there is nothing to update or to
// repeat.
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
constexpr auto implement(const FindClicks& t) {
  return inner_join(t.impressions | watermark<"shown_at">(10s), t.clicks | watermark<"clicked_at">(20s), on<"ad">,
                    within(0s, 1h)) |
         select<Clicked>();
}

#ifdef ETLANTIC_MUST_FAIL
constexpr output_mode mode = output_mode::complete;
#else
constexpr output_mode mode = output_mode::append;
#endif

struct Clicks {
  extract<Impression, "impressions"> impressions;
  extract<Click, "clicks"> clicks;
  step<FindClicks, "impressions.valid", "clicks.valid"> find;
  load<Clicked, "found", "find.found", mode> found;
};

void check() { enforce(pipeline_verdict<Clicks>{}); }
