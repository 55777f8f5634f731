// expect: complete mode publishes all results of an aggregation anew, but these rows are given on once and not kept
// names: "copies"
// names: "trades.valid"
// means: In complete mode each batch replaces the whole target. Rows that no aggregation keeps would be gone from it with
// means: the next batch: load them in append mode (or in update mode, into a contract with a primary key).
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr output_mode mode = output_mode::complete;
#else
constexpr output_mode mode = output_mode::append;
#endif

struct Copy {
  extract<Trade, "trades"> trades;
  load<Trade, "copies", "trades.valid", mode> copies;
};

void check() { enforce(pipeline_verdict<Copy>{}); }
