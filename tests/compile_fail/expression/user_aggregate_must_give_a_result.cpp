// expect: a user-defined aggregate needs a const function result that gives a value for a field
// names: total
// means: It is called whenever a result is due, also before more rows come, so it must not change the state.
// std::optional gives means: null. Lists and structs are not given.
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
  void add(std::int64_t value) { sum += value; }
  void merge(const total& other) { sum += other.sum; }
  std::int64_t result() { return sum; }
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
