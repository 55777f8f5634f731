// expect: this function is not defined for values of these types
// names: "length"
// names: long
// means: A function of text takes text, one of times takes a date or a timestamp. The function and the types it was
// means: given are named; cast<text> makes text of numbers and times.
#include <etlantic/expression/cast.hpp>
#include <etlantic/expression/text_functions.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/derive.hpp>

using namespace etlantic;

struct Order {
  std::int64_t id;
  text customer;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Order>("orders") | derive<"digits">(length(field<"id">));
#else
constexpr auto rows = from<Order>("orders") | derive<"digits">(length(cast<text>(field<"id">)));
#endif
