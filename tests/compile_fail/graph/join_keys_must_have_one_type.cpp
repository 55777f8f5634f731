// expect: the keys of a join must have one type on both sides, and no struct or list
// names: "place"
// names: "ad"
// names: text
// means: Rows match where their keys are equal, so both sides need values of the same type. Derive a column of that
// type.
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
constexpr auto rows = inner_join(shown, clicked, on_equal(left<"place"> == right<"ad">), within(0s, 1h));
#else
constexpr auto rows = inner_join(shown, clicked, on_equal(left<"place"> == right<"place">), within(0s, 1h));
#endif
