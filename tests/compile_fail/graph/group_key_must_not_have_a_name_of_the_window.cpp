// expect: beside a window no group key may be called window_start or window_end
// names: "window_start"
// means: A field window_start of the output contract could then be the key or the start of the window. Give the key
// means: another name with derive, or leave the window out if the rows are in windows already.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Bar {
  timestamp window_start;
  timestamp traded;
  double high;
};

#ifdef ETLANTIC_MUST_FAIL
struct Highest {
  timestamp window_start;
  double high;
};
constexpr auto highest = from<Bar>("bars") | group_by<"window_start"> | tumbling<"traded">(1h) |
                         aggregate<Highest>(named<"high"> = max(field<"high">));
#else
struct Highest {
  timestamp bar_start, window_start;
  double high;
};
constexpr auto highest = from<Bar>("bars") | derive<"bar_start">(field<"window_start">) | group_by<"bar_start"> |
                         tumbling<"traded">(1h) | aggregate<Highest>(named<"high"> = max(field<"high">));
#endif
