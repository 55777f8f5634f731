// expect: this behaviour has timers, which fire when a watermark reaches them; add watermark<"field">(delay) before process
// names: CountPages
// means: Timers are times of events. That they have come is what a watermark says; without one, none would ever fire.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/group_by.hpp>
#include <etlantic/graph/process.hpp>
#include <etlantic/graph/watermark.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Click {
  text visitor;
  std::int64_t page;
  timestamp time;
};
struct Visits {
  std::int64_t pages;
};
struct Page {
  std::int64_t page;
};
struct CountPages {
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Click&, process_context<Page>&) const;
  void on_timer(Visits&, timestamp, process_context<Page>&) const;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Click>("clicks") | group_by<"visitor"> | process<CountPages>();
#else
constexpr auto rows = from<Click>("clicks") | watermark<"time">(1min) | group_by<"visitor"> | process<CountPages>();
#endif
