// expect: a pipeline without a struct reads one asset; declare a pipeline with an extract for each input
// names: Trade
// means: from<C>("asset") | ... | into("asset") is short for one extract, one step and one load. A union has several
// means: extracts: declare a transformation with an input for each, and a pipeline that connects them.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/graph/where.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Trade {
  text symbol;
  double price;
  timestamp time, received;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto pipeline = union_all(from<Trade>("web"), from<Trade>("shop")) | into("trades");
#else
constexpr auto pipeline = from<Trade>("web") | into("trades");
#endif
