// expect: there is no cast between these types
// names: etlantic::timestamp
// names: long
// means: Casts exist among numbers, from and to text, from bool to integers, and between timestamp and date. For a
// means: timestamp as a number say what is counted, as unix_seconds does.
#include <etlantic/expression/cast.hpp>
#include <etlantic/expression/time_functions.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>

using namespace etlantic;

struct Order {
  std::int64_t id;
  timestamp time;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Order>("orders") | derive<"seconds">(cast<std::int64_t>(field<"time">));
#else
constexpr auto rows = from<Order>("orders") | derive<"seconds">(unix_seconds(field<"time">));
#endif
