// expect: a side of a join must be an input of the transformation, or filters, derived columns, selections and a watermark behind one; put groups and windows into a step of their own
// names: Impression
// means: A side that aggregates, or that is a join itself, has rows at other times than they came in. Make it a step, and join
// means: what that step gives out.
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/watermark.hpp>

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

constexpr auto shown = input<Impression>{0} | watermark<"shown_at">(10s);
constexpr auto clicked = input<Click>{1} | watermark<"clicked_at">(20s);

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = inner_join(shown | tumbling<"shown_at">(1min), clicked, on<"ad">, within(0s, 1h));
#else
constexpr auto rows = inner_join(shown, clicked, on<"ad">, within(0s, 1h));
#endif
