// expect: process takes rows as they come in; put selections and columns derived in the place of fields into a step of their own
// names: CountPages
// means: The behaviour gets rows as structs of the contract that comes in. A column beside its fields may be a key of
// means: group_by, but is not in the struct.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>
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
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Click>("clicks") | derive<"page">(field<"page"> + 1) | process<CountPages>();
#else
constexpr auto rows = from<Click>("clicks") | derive<"next">(field<"page"> + 1) | group_by<"next"> | process<CountPages>();
#endif
