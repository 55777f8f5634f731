// expect: group_by, tumbling, sliding and session need an aggregate behind them
// names: Trade
// means: Groups and windows say which rows belong together; only an aggregate says what becomes of them. Add
// means: aggregate<...>(...), or leave the group out.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/aggregate.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  double price;
};
struct Highest {
  text symbol;
  double high;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto bars = from<Trade>("trades") | group_by<"symbol"> | into("highest");
#else
constexpr auto bars = from<Trade>("trades")
                    | group_by<"symbol">
                    | aggregate<Highest>(named<"high"> = max(field<"price">))
                    | into<output_mode::update>("highest");
#endif
