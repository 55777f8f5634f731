// expect: the function add of this user-defined aggregate does not take values of these types
// names: total
// names: long
// means: It has as many parameters as aggregated_by has arguments. Each has the type of its argument: text arrives as
// means: std::string_view, integers and floating point may be wider. What would be cut or lose digits is not converted
// in means: silence; cast the argument.
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
  void add(std::int32_t value) { sum += value; }
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
