// expect: a contract must be a plain aggregate: public fields, no constructors, no bases, no virtuals, no C arrays
// names: Reading
// names: has_a_c_array
// means: The fields of a contract are read from the struct itself, which works for plain aggregates only; the second
// means: culprit says which of the reasons it is. Use std::vector for the C array, or describe the struct with
// means: ETLANTIC_DESCRIBE.
#include <etlantic/graph/bare.hpp>
#include <etlantic/contract/contract.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
struct Reading {
  std::int64_t sensor;
  double samples[8];
};
#else
struct Reading {
  std::int64_t sensor;
  std::vector<double> samples;
};
#endif

constexpr auto readings = from<Reading>("readings");
