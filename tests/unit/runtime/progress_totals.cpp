#include "support/catch.hpp"

#include <etlantic/runtime/progress_totals.hpp>

using namespace etlantic;

TEST_CASE("a run that warns in every batch keeps the first warnings and says that there were more") {
  progress total, batch;
  batch.warnings = {"rows in the future", "an input is idle"};
  for (int i = 0; i < 1'000; ++i) add_batch(total, batch);
  CHECK(total.batch == 1'000);
  REQUIRE(total.warnings.size() == 101);
  CHECK(total.warnings[99] == "an input is idle");
  CHECK(total.warnings[100] == "later warnings are in the records of their batches");
}
