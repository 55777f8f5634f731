#pragma once
#include <etlantic/runtime/progress.hpp>

namespace sample {

using namespace etlantic;

/// Ten rows read: nine valid, of them two filtered, one late, six aggregated.
inline progress ten_rows() {
  progress done;
  done.query = "q1";
  done.pipeline = "CustomerOrders";
  done.batch = 3;
  extract_progress extract;
  extract.node = "orders";
  extract.read = 10;
  extract.bytes = 1590;
  extract.valid = 9;
  extract.invalid = 1;
  extract.fast = 8;
  extract.read_seconds = 0.0625;
  extract.decode_seconds = 0.125;
  extract.reasons = {{"missing", 1}};
  extract.ranges = {{"orders.ndjson", 0, 1590}};
  done.extracts = {extract};
  step_progress step;
  step.node = "aggregates";
  step.counts = {.received = 9, .filtered = 2, .late = 1, .kept = 6, .emitted = 4};
  step.state = {.windows = 2, .groups = 5, .bytes = 4096};
  step.seconds = 0.03125;
  done.steps = {step};
  done.loads = {{"curated", "customer_order_windows", 4, 0.09375},
                {"quarantine", "rejected_order_events", 1, 0.015625}};
  done.warnings = {"one window is open for a year"};
  done.quality = {{"few_invalid", "order_events", quality_metric::invalid_share, 0.125, 8, false, gate_outcome::warn}};
  done.watermark = {1'767'225'600'000'000};
  done.started = {1'767'229'200'250'000};
  done.seconds = 0.5;
  done.plan_seconds = 0.05;
  done.process_seconds = 0.25;
  done.publish_seconds = 0.125;
  done.checkpoint_seconds = 0.075;
  return done;
}

}  // namespace sample
