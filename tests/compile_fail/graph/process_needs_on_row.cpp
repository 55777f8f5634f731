// expect: a behaviour of process needs a function on_row(state&, const Row&, process_context<result>&) const
// names: CountPages
// means: It is called for each row that comes in. It changes the state of the row's key, and asks the context for all
// means: else: to give out a row, to set a timer, to forget the key.
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
#else
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Click&, process_context<Page>&) const;
#endif
};

constexpr auto rows = from<Click>("clicks") | watermark<"time">(1min) | group_by<"visitor"> | process<CountPages>();
