// expect: the fields of a user-defined aggregate must be numbers, bools, enumerations, decimals, times, arrays of them
// (std::array), or structs of them names: total names: "seen" names: std::vector< means: The state of each group lies
// in the table of groups and in checkpoints, so its size is known when the program is means: compiled: no text, no
// vector, no optional, no pointer. collect_list keeps the first values of a group.
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
  std::vector<std::int64_t> seen;
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
