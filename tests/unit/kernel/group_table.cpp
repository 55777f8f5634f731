#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/kernel/group_table.hpp>

using namespace etlantic;
using namespace etlantic::kernel;

using table = group_table<boost::hana::tuple<std::int64_t>, boost::hana::tuple<count_state>>;

TEST_CASE("a table of one group has little room, since every open window has one") {
  table groups;
  CHECK(groups.bytes() == 0);
  groups.at(table::probe{key_probe<std::int64_t>{7, false}});
  CHECK(groups.size() == 1);
  CHECK(groups.bytes() <= 8 * sizeof(table::slot));
}

TEST_CASE("groups are found again after the table has grown many times") {
  table groups;
  for (int round = 1; round <= 2; ++round)
    for (std::int64_t key = 0; key < 10'000; ++key)
      ++boost::hana::at_c<0>(groups.at(table::probe{key_probe<std::int64_t>{key << 40, false}}).aggregates).rows;
  CHECK(groups.size() == 10'000);
  groups.for_each([](const table::slot& each) { REQUIRE(boost::hana::at_c<0>(each.aggregates).rows == 2); });
}
