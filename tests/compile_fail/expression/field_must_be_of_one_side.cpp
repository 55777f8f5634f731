// expect: both sides of the join have a field with this name; say left<"..."> or right<"...">
// names: "place"
// names: Impression
// names: Click
// means: Behind a join a name alone stands for the one side that has it, or for a key that both sides share.
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

struct Clicked {
  std::int64_t ad;
  text place;
};

constexpr auto shown = input<Impression>{0} | watermark<"shown_at">(10s);
constexpr auto clicked = input<Click>{1} | watermark<"clicked_at">(20s);

constexpr auto pairs = inner_join(shown, clicked, on<"ad">, within(0s, 1h));

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = pairs | select<Clicked>();
#else
constexpr auto rows = pairs | select<Clicked>(named<"place"> = left<"place">);
#endif
