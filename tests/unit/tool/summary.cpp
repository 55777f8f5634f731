#include <etlantic/tool/balance.hpp>
#include <etlantic/tool/summary.hpp>

#include "sample_program.hpp"
#include "sample_progress.hpp"
#include "support/catch.hpp"

using namespace etlantic;

TEST_CASE("the summary shows the equations, the reasons, the rates and the places") {
  run_summary run;
  run.totals = sample::ten_rows();
  run.totals.extracts[0].read = 1'000'010;
  run.totals.extracts[0].valid = 1'000'009;
  run.seconds = 2;
  run.places = {{"curated", "customer_order_windows", "sqlite path=orders.db table=windows"}};
  CHECK(summary_text(sample::customer_orders(), run) ==
        "CustomerOrders finished after 3 batches\n"
        "\n"
        "orders      1,000,010 rows read = 1,000,009 valid + 1 invalid\n"
        "  missing   1 invalid\n"
        "aggregates  9 rows received = 2 filtered + 1 late + 6 aggregated\n"
        "curated     4 rows published to sqlite path=orders.db table=windows\n"
        "quarantine  1 row published to rejected_order_events\n"
        "warning     one window is open for a year\n"
        "\n"
        "watermark   2026-01-01T00:00:00Z\n"
        "seconds     2.000, of that 0.250 processing\n"
        "rows/s      500,005, while processing 4,000,040\n");
}

TEST_CASE("an equation that does not hold is not written as one") {
  run_summary run;
  run.totals = sample::ten_rows();
  run.totals.extracts[0].invalid = 0;
  const std::string text = summary_text(sample::customer_orders(), run);
  CHECK(text.find("10 rows read IS NOT 9 valid + 0 invalid\n") != std::string::npos);
}

TEST_CASE("rejected rows and results stand out, with the place where they are or that they are nowhere") {
  run_summary run;
  run.totals = sample::ten_rows();
  run.totals.steps[0].counts.kept = 5;
  run.totals.steps[0].counts.invalid = 1;
  run.totals.steps[0].counts.rejected_results = 1'234;
  program what = sample::customer_orders();
  what.nodes[1].outputs.insert(what.nodes[1].outputs.begin() + 1, {"invalid", nullptr});
  CHECK(summary_text(what, run).find(
            "aggregates  9 rows received = 2 filtered + 1 late + 1 invalid + 5 aggregated\n"
            "  rejected  1 ROW REJECTED AND DROPPED: nothing reads aggregates.invalid\n"
            "  rejected  1,234 RESULTS REJECTED AND DROPPED: nothing reads aggregates.invalid\n") != std::string::npos);
  what.nodes[3].inputs[0] = {1, 1};
  CHECK(summary_text(what, run).find("1,234 RESULTS REJECTED, in what reads aggregates.invalid\n") !=
        std::string::npos);
  CHECK(live_text(run.totals, run.totals, 0, 200).find("| invalid 2 | late 1 | REJECTED RESULTS 1,234 | batch 3") !=
        std::string::npos);
  CHECK(imbalances(what, run.totals).empty());
}

TEST_CASE("duplicates are a part of their own, and rows of a step that only deduplicates are passed on") {
  run_summary run;
  run.totals = sample::ten_rows();
  run.totals.steps[0].counts.kept = 4;
  run.totals.steps[0].counts.duplicate = 2;
  program what = sample::customer_orders();
  what.nodes[1].operators = {{"deduplicate", {{"keys", "order_id"}}}};
  CHECK(summary_text(what, run).find("9 rows received = 2 filtered + 1 late + 2 duplicate + 4 passed on\n") !=
        std::string::npos);
  CHECK(imbalances(what, run.totals).empty());
  run.totals.steps[0].counts.duplicate = 1;
  CHECK(imbalances(what, run.totals) ==
        std::vector<std::string>{
            "aggregates: 9 rows received, but 2 filtered + 1 late + 0 invalid + 1 duplicate + 4 kept = 8"});
}

TEST_CASE("the live line says where the run is, and never wraps") {
  const progress last = sample::ten_rows();
  progress totals = last;
  totals.extracts[0].read = 1'234'567;
  CHECK(live_text(totals, last, 5'204'000, 200) ==
        "1,234,567 rows | 5.20 M rows/s | watermark 2026-01-01T00:00:00Z | windows 2 | invalid 1 | late 1 | batch 3");
  CHECK(live_text(totals, last, 0, 20) == "1,234,567 rows | 0 ");
  CHECK(live_text({}, {}, 0, 200) == "0 rows | 0 rows/s | watermark - | windows 0 | invalid 0 | late 0 | batch 0");
}

TEST_CASE("what waits stands in the live line, in rows where they are counted") {
  progress last = sample::ten_rows();
  const auto line = [&] { return live_text(last, last, 0, 200); };
  CHECK(line().find("waiting") == std::string::npos);
  last.extracts[0].waiting.bytes = 3 << 20;
  CHECK(line().find(" | late 1 | waiting 3.0 MiB | batch 3") != std::string::npos);
  last.extracts.push_back(last.extracts[0]);
  last.extracts[1].waiting = {.rows = 12'000, .bytes = 1};
  CHECK(line().find(" | waiting 12,000 rows + 3.0 MiB | ") != std::string::npos);
}

TEST_CASE("the split that is waited for stands behind the watermark") {
  run_summary run;
  run.totals = sample::ten_rows();
  run.totals.slowest_splits = {{"count.left", "orders", "/data/in/p1.ndjson", {1'767'225'600'000'000}},
                               {"count.right", "refunds", "", {}}};
  CHECK(live_text(run.totals, run.totals, 0, 200).find("| watermark 2026-01-01T00:00:00Z (waits for refunds) | ") !=
        std::string::npos);
  const std::string text = summary_text(sample::customer_orders(), run);
  CHECK(text.find("p1.ndjson of orders, which is at 2026-01-01T00:00:00Z\n") != std::string::npos);
  CHECK(text.find("refunds, which is at no event yet\n") != std::string::npos);
  run.totals.slowest_splits.pop_back();
  CHECK(live_text(run.totals, run.totals, 0, 200).find(" (waits for p1.ndjson of orders) | ") != std::string::npos);
}

TEST_CASE("rates are short") {
  CHECK(short_number(0) == "0");
  CHECK(short_number(9'500) == "9500");
  CHECK(short_number(812'345) == "812 k");
  CHECK(short_number(5'204'000) == "5.20 M");
}
