// expect: months and years differ in length: say how many days are meant, or use a calendar window
// names: std::chrono
// means: A watermark's delay, a window or how long something is remembered is a number of microseconds. The standard
// means: library would make 30.436875 days of `std::chrono::months{1}`, its average. A window of a calendar's months is
// means: `calendar<std::chrono::months>`; the culprit is the type of the length.
#include <etlantic/graph/watermark.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
constexpr auto waits = watermark<"time">(std::chrono::months{1});
#else
constexpr auto waits = watermark<"time">(std::chrono::days{31});
#endif
