// expect: an append-only target keeps every row that it was given; publish final rows there in append mode, or declare target::keyed_table
// names: "totals"
// names: "sum.totals"
// means: In update and complete mode a later batch replaces rows, which a log cannot do: it would hold each of their
// means: versions, or all results once for each batch. The culprits are the load and the result that it reads.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/plan/verify.hpp>

using namespace etlantic;

struct Sale {
  text shop;
  std::int64_t amount;
};
struct Total {
  text shop;
  std::int64_t amount;
  using key = primary_key<"shop">;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr target kind = target::append_only;
#else
constexpr target kind = target::keyed_table;
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
  load<Total, "totals", "sum.totals", output_mode::complete, kind> totals;
};

void check() { enforce(pipeline_verdict<Totals>{}); }
