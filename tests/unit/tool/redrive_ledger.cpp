#include <etlantic/tool/redrive_ledger.hpp>

#include <string>

#include "support/catch.hpp"

using namespace etlantic;

TEST_CASE("a redrive ledger is read as it was written, and a damaged one is a failure") {
  const std::vector<redriven_row> rows{{"0123456789abcdef", false, "{\"a\":1}"},
                                       {"fedcba9876543210", true, std::string("\0\n", 2)}};
  const std::string golden =
      "etlantic redrive 1\n"
      "0123456789abcdef unchanged eyJhIjoxfQ==\n"
      "fedcba9876543210 repaired AAo=\n";
  CHECK(to_ledger(rows) == golden);
  REQUIRE(read_ledger(golden, "l"));
  CHECK(*read_ledger(golden, "l") == rows);
  for (std::size_t size = 0; size < golden.size(); ++size) {
    const bool whole_lines = size == 19 || size == 59;  // a file is written whole, so that this is none of them
    CHECK(read_ledger(golden.substr(0, size), "l").ok() == whole_lines);
  }
  CHECK(read_ledger("etlantic redrive 2\n", "l").error().message ==
        "the ledger was written in another version: etlantic redrive 2");
  CHECK(read_ledger("etlantic redrive 1\na b c\n", "l").error().message == "line 2 of the ledger cannot be read");
}
