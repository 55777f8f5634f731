// expect: neither side of the join has a field with this name
// names: "clicked"
// names: Impression
// names: Click
// means: Behind a join expressions name fields of the two contracts that were joined, and columns derived since.
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/graph/where.hpp>

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

constexpr auto pairs = inner_join(shown, clicked, on<"ad">, within(0s, 1h));

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = pairs | where(is_not_null(field<"clicked">));
#else
constexpr auto rows = pairs | where(is_not_null(field<"clicked_at">));
#endif
