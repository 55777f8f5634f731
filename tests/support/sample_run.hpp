#pragma once
#include <etlantic/runtime/run_record.hpp>

/// A run with one of everything, which tests/golden/runs shows as files.
namespace etlantic::test {

inline run_record sample_run() {
  run_record run;
  run.query = "00112233445566778899aabbccddeeff";
  run.pipeline = "CustomerOrders";
  run.pipeline_version = "2.0.0";
  run.profile = "local";
  run.trigger = "continuous";
  run.pid = 4711;
  run.number = 12;
  run.status = query_status::stopped;
  run.started = timestamp{1'772'366'400'000'000};  // 2026-03-01T12:00:00Z
  run.since = run.written = run.started + std::chrono::seconds(90);
  run.from_checkpoint = true;
  run.first_batch = 40;
  run.stopped = true;
  run.totals.batch = 3;
  run.totals.extracts = {
      {"orders", 1000, 64'000, 990, 10, 985, {{"malformed", 4}, {"out_of_range", 6}}, {}, 0.25, 0.5}};
  run.totals.steps.resize(1);
  run.totals.steps[0].node = "aggregates";
  run.totals.steps[0].counts.received = 990;
  run.totals.steps[0].counts.filtered = 80;
  run.totals.steps[0].counts.late = 7;
  run.totals.steps[0].counts.invalid = 1;
  run.totals.steps[0].counts.duplicate = 2;
  run.totals.steps[0].counts.kept = 900;
  run.totals.steps[0].counts.emitted = 120;
  run.totals.steps[0].counts.rejected_results = 3;
  run.totals.steps[0].state = {4, 200, 16'384};
  run.totals.steps[0].seconds = 0.125;
  run.totals.loads = {{"curated", "customer_order_windows", 117, 0.0625}, {"quarantine", "rejected_orders", 10, 0.001}};
  run.totals.warnings = {"the file 'a.ndjson' grew behind a row without a line feed"};
  run.totals.watermark = timestamp{1'772'366'300'000'000};
  run.totals.seconds = 1.5;
  run.totals.plan_seconds = 0.25;
  run.totals.process_seconds = 0.75;
  run.totals.publish_seconds = 0.375;
  run.totals.checkpoint_seconds = 0.125;
  run.last = run.totals;
  run.last.batch = 42;
  run.last.started = run.started + std::chrono::seconds(80);
  run.no_data_batches = 1;
  run.replayed = {40};
  run.watermark_before = timestamp{1'772'366'200'000'000};
  run.failures = {{{failure_class::connectivity, "PMSTREAM434", "the database is locked by another program",
                    "orders.db", "end the program that writes to it"},
                   run.started + std::chrono::seconds(10),
                   true,
                   1,
                   std::chrono::milliseconds(750)}};
  run.failure_count = 1;
  run.retries = 1;
  return run;
}

}  // namespace etlantic::test
