// expect: on_row of this behaviour cannot be called with (state&, const Row&, process_context<result>&), or is not const
// names: CountPages
// names: Click
// means: The row has the type of the contract that comes in. The function is const: what a behaviour remembers
// means: belongs into its state, which is kept for each key and over restarts.
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
#ifdef ETLANTIC_MUST_FAIL
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Page&, process_context<Page>&) const;
#else
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Click&, process_context<Page>&) const;
#endif
};

constexpr auto rows = from<Click>("clicks") | watermark<"time">(1min) | group_by<"visitor"> | process<CountPages>();
