// expect: a behaviour of process says what it keeps and what it gives: using state = ...; and using result = ...;
// names: CountPages
// means: Both are contracts: the state is kept for each key and written into checkpoints, and the result says what
// means: the rows are that come out.
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
  void on_row(Visits&, const Click&, process_context<Page>&) const;
#else
  using state = Visits;
  using result = Page;
  void on_row(Visits&, const Click&, process_context<Page>&) const;
#endif
};

constexpr auto rows = from<Click>("clicks") | watermark<"time">(1min) | group_by<"visitor"> | process<CountPages>();
