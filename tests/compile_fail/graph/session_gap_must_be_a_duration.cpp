// expect: the gap of a session must be a duration, or an integer number of seconds
// names: double
// means: The gap says how long after a row its session waits for the next one: a duration, or an expression over the row
// means: that gives one. Integers are whole seconds; other numbers could be any unit.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/session.hpp>
#include <etlantic/graph/watermark.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Click {
  text user;
  timestamp time;
  double patience;
  std::int32_t timeout;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto visits = from<Click>("clicks") | watermark<"time">(1min) | session<"time">(field<"patience">);
#else
constexpr auto visits = from<Click>("clicks") | watermark<"time">(1min) | session<"time">(field<"timeout">);
#endif
