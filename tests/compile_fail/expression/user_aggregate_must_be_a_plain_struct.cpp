// expect: the struct of a user-defined aggregate is its state: public fields, no constructors, no bases, no virtuals,
// no C arrays, copied as bytes names: total names: has_constructors_or_private_fields means: Without a constructor the
// state starts with the values behind the fields' names, as in `std::int64_t sum = 0;`. That it is means: copied as
// bytes means: no destructor and no copying of its own.
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
  total() {}
  std::int64_t sum = 0;
  void add(std::int64_t value) { sum += value; }
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
