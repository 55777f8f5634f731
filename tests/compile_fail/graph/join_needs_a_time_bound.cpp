// expect: unbounded stream-stream join: every row would be kept for ever; add within(...), same_time() or
// same_window(...), or say unbounded() names: Impression names: Click means: A row can be forgotten once no match for
// it can come any more, and that follows from the times of matching rows. means: Where all rows have to be kept, say
// so.
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
constexpr auto rows = inner_join(shown, clicked, on<"ad">);
#else
constexpr auto rows = inner_join(shown, clicked, on<"ad">, within(0s, 1h));
#endif
