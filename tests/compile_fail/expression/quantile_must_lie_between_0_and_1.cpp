// expect: a quantile lies between 0 and 1: approximate_quantile<95> is 95 of 100, approximate_quantile<999, 1000> 999
// of 1000 names: share<999, 100> means: The second number is what the first one is a share of, 100 unless it is said.
// approximate_quantile<0> is the least means: value, approximate_quantile<100> the greatest; min and max cost less.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

struct Request {
  text path;
  duration wait;
};

struct Slowest {
  text path;
  duration wait;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Request>("requests") | group_by<"path"> |
                      aggregate<Slowest>(named<"wait"> = approximate_quantile<999>(field<"wait">));
#else
constexpr auto rows = from<Request>("requests") | group_by<"path"> |
                      aggregate<Slowest>(named<"wait"> = approximate_quantile<999, 1000>(field<"wait">));
#endif
