// expect: a join with a time bound needs a watermark on both sides
// names: Click
// means: The bound speaks of the event times that the watermarks name, and rows are forgotten when the watermarks pass.
// means: The culprit is the contract of the side that has none.
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/select.hpp>
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
constexpr auto rows = inner_join(shown, input<Click>{1}, on<"ad">, within(0s, 1h));
#else
constexpr auto rows = inner_join(shown, clicked, on<"ad">, within(0s, 1h));
#endif
