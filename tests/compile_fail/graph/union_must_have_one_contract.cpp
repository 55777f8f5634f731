// expect: the streams of a union must have rows of one contract
// names: Trade
// names: Quote
// means: union_all puts the rows of several streams one behind the other, so that they need the same fields. Turn those of
// means: the other contract into rows of the first with select<First>(...).
#include <etlantic/graph/select.hpp>
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

struct Quote {
  text symbol;
  double bid;
  timestamp time, received;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = union_all(input<Trade>{}, input<Quote>{1});
#else
constexpr auto rows = union_all(input<Trade>{}, input<Quote>{1} | select<Trade>(named<"price"> = field<"bid">));
#endif
