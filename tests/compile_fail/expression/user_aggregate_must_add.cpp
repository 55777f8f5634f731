// expect: a user-defined aggregate needs a function add that takes the values of a row
// names: total
// means: add is called for every row of a group, with the values of the arguments of aggregated_by; rows where one is
// null are means: passed over.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

struct Trade {
  text symbol;
  std::int64_t size;
};

struct Totals {
  std::int64_t total;
};

#ifdef ETLANTIC_MUST_FAIL
struct total {
  std::int64_t sum = 0;
  void merge(const total& other) { sum += other.sum; }
  std::int64_t result() const { return sum; }
};
#else
struct total {
  std::int64_t sum = 0;
  void add(std::int64_t value) { sum += value; }
  void merge(const total& other) { sum += other.sum; }
  std::int64_t result() const { return sum; }
};
#endif

constexpr auto rows = from<Trade>("trades") | aggregate<Totals>(named<"total"> = aggregated_by<total>(field<"size">));
