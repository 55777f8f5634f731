// expect: left<"..."> and right<"..."> name fields of rows behind a join only
// names: "place"
// means: Before a join, and behind the select that follows it, rows have one contract, and field<"..."> names its
// fields.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/where.hpp>

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

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Click>("clicks") | where(left<"place"> == "top");
#else
constexpr auto rows = from<Click>("clicks") | where(field<"place"> == "top");
#endif
