// expect: an outer join needs a time bound, and so does an anti join: without one it is never certain that a row has no match
// names: Impression
// names: Click
// means: A row without a match comes out when no match can come any more. Without a bound of times one can always come.
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
constexpr auto rows = left_join(shown, clicked, on<"ad">, unbounded());
#else
constexpr auto rows = left_join(shown, clicked, on<"ad">, within(0s, 1h));
#endif
