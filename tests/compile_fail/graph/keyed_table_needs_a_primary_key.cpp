// expect: a keyed table replaces rows by their primary key; give the contract of this load one
// names: "totals"
// means: Without a key the table cannot know which row a new one replaces: declare `using key = primary_key<...>` in the
// means: contract. The culprit is the load.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;

struct Sale {
  text shop;
  std::int64_t amount;
};

#ifdef ETLANTIC_MUST_FAIL
struct Total {
  text shop;
  std::int64_t amount;
};
#else
struct Total {
  text shop;
  std::int64_t amount;
  using key = primary_key<"shop">;
};
#endif

struct SumSales {
  input<Sale> sales;
  output<Total> totals;
};

constexpr auto implement(const SumSales& t) {
  return t.sales | group_by<"shop"> | aggregate<Total>(named<"amount"> = sum(field<"amount">));
}

struct Totals {
  extract<Sale, "sales"> sales;
  step<SumSales, "sales.valid"> sum;
  load<Total, "totals", "sum.totals", output_mode::update, target::keyed_table> totals;
};

void check() { enforce(pipeline_verdict<Totals>{}); }
