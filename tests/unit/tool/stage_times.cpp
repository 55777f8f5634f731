#include "sample_progress.hpp"
#include "support/catch.hpp"

#include <etlantic/tool/stage_times.hpp>

using namespace etlantic;

TEST_CASE("the stages of a run are listed with their time per row and share") {
  run_summary run;
  run.totals = sample::ten_rows();
  run.seconds = 2;
  CHECK(stage_times_text(run) ==
        "plan                    0.050 s  5000000.0 ns/row   11.0 %\n"
        "read orders             0.062 s  6250000.0 ns/row   13.8 %\n"
        "decode orders           0.125 s  12500000.0 ns/row   27.6 %\n"
        "step aggregates         0.031 s  3125000.0 ns/row    6.9 %\n"
        "publish curated         0.094 s  9375000.0 ns/row   20.7 %\n"
        "publish quarantine      0.016 s  1562500.0 ns/row    3.4 %\n"
        "checkpoint              0.075 s  7500000.0 ns/row   16.6 %\n"
        "all                     0.453 s  45312500.0 ns/row  100.0 %\n"
        "decoded the fast way: 88.89 % of the valid rows\n"
        "Reading and decoding count the time of all workers; the run took 2.000 s.");
}

TEST_CASE("a run without rows has stages too") {
  const std::string text = stage_times_text({});
  CHECK(text.find("decoded the fast way: 0.00 % of the valid rows") != std::string::npos);
}
