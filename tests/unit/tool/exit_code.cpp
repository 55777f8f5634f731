#include <etlantic/tool/diagnostic_code.hpp>
#include <etlantic/tool/exit_code.hpp>

#include <iterator>
#include <set>
#include <string_view>

#include "support/catch.hpp"

using namespace etlantic;

TEST_CASE("every class of failure has its exit code") {
  const auto number = [](failure_class kind) { return static_cast<int>(exit_code_of(kind)); };
  CHECK(number(failure_class::internal) == 1);
  CHECK(number(failure_class::contract) == 3);
  CHECK(number(failure_class::configuration) == 3);
  CHECK(number(failure_class::source_data) == 4);
  CHECK(number(failure_class::sink_conflict) == 5);
  CHECK(number(failure_class::sink_rejected) == 5);
  CHECK(number(failure_class::state) == 6);
  CHECK(number(failure_class::checkpoint) == 6);
  CHECK(number(failure_class::resource_exhausted) == 7);
  CHECK(number(failure_class::connectivity) == 8);
  CHECK(number(failure_class::authentication) == 8);
  CHECK(std::size(exit_code_meanings) == 9);
}

TEST_CASE("no two diagnostics share a code") {
  std::set<std::string_view> codes;
  for (const diagnostic_code& each : diagnostic_codes) CHECK(codes.insert(each.code).second);
}
