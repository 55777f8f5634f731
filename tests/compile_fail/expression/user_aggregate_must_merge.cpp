// expect: a user-defined aggregate needs a function merge that takes another one of its kind by const reference
// names: total
// means: A window that slides is put together from parts, and sessions grow together: what two parts of the rows came
// to has to means: give what all of the rows would have given.
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
