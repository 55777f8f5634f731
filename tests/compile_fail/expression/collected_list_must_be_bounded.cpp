// expect: collect_list keeps between 1 and 10000 values of a group
// names: values_kept<1000000>
// means: The first values in source order are kept, what comes behind them is not: a list without a bound would let the
// means: state of a group grow with its rows.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

struct Visit {
  text visitor;
  text page;
};

struct Path {
  text visitor;
  std::vector<text> pages;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Visit>("visits") | group_by<"visitor"> |
                      aggregate<Path>(named<"pages"> = collect_list<1'000'000>(field<"page">));
#else
constexpr auto rows =
    from<Visit>("visits") | group_by<"visitor"> | aggregate<Path>(named<"pages"> = collect_list<100>(field<"page">));
#endif
