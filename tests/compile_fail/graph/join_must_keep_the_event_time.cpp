// expect: the field of this watermark is not in the joined rows any more as it was; put the watermark behind what
// selects or derives it names: Visit names: "clicked_at" means: The join compares event times of the rows that it gets,
// so they must still be there, and be the times that the means: watermark follows. The culprits are the contract of the
// side and the field of its watermark.
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/watermark.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Impression {
  std::int64_t ad;
  timestamp shown_at;
};

struct Click {
  std::int64_t ad;
  timestamp clicked_at;
};

struct Visit {
  std::int64_t ad;
  timestamp at;
};

constexpr auto shown = input<Impression>{0} | watermark<"shown_at">(10s);
constexpr auto visit = select<Visit>(named<"at"> = field<"clicked_at">);

#ifdef ETLANTIC_MUST_FAIL
constexpr auto visits = input<Click>{1} | watermark<"clicked_at">(20s) | visit;
#else
constexpr auto visits = input<Click>{1} | visit | watermark<"at">(20s);
#endif

constexpr auto rows = inner_join(shown, visits, on<"ad">, within(0s, 1h));
