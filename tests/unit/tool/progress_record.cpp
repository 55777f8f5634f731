#include <etlantic/tool/balance.hpp>
#include <etlantic/tool/progress_record.hpp>

#include "sample_program.hpp"
#include "sample_progress.hpp"
#include "support/catch.hpp"

using namespace etlantic;

TEST_CASE("a batch is one line of JSON with every figure") {
  CHECK(
      batch_record(sample::ten_rows()) ==
      R"({"event":"batch","query":"q1","pipeline":"CustomerOrders","batch":3,"no_data":false,"replayed":false,)"
      R"("rows_read":10,"invalid":1,"late":1,"rejected_results":0,"open_windows":2,"watermark":"2026-01-01T00:00:00Z",)"
      R"("started":"2026-01-01T01:00:00.250Z","rows_per_second":20,"seconds":0.5,"plan_seconds":0.05,)"
      R"("process_seconds":0.25,"publish_seconds":0.125,"checkpoint_seconds":0.075,)"
      R"("extracts":[{"node":"orders","read":10,"bytes":1590,"valid":9,"invalid":1,"fast":8,)"
      R"("read_seconds":0.0625,"decode_seconds":0.125,"reasons":{"missing":1},)"
      R"("ranges":[{"split":"orders.ndjson","begin":0,"end":1590}]}],)"
      R"("steps":[{"node":"aggregates","received":9,"filtered":2,"late":1,"invalid":0,"duplicate":0,"kept":6,"emitted":4,"rejected_results":0,)"
      R"("seconds":0.03125,"state":{"windows":2,"groups":5,"bytes":4096}}],)"
      R"("loads":[{"node":"curated","asset":"customer_order_windows","rows":4,"seconds":0.09375},)"
      R"({"node":"quarantine","asset":"rejected_order_events","rows":1,"seconds":0.015625}],)"
      R"("warnings":["one window is open for a year"],)"
      R"("quality":[{"gate":"few_invalid","of":"order_events","metric":"invalid_share","value":0.125,"rows":8,)"
      R"("holds":false,"otherwise":"warn"}]})");
}

TEST_CASE("a batch says of which split it is, and a split what becomes of it") {
  progress batch = sample::ten_rows();
  batch.split = "orders/3";
  CHECK(batch_record(batch).starts_with(
      R"({"event":"batch","query":"q1","pipeline":"CustomerOrders","split":"orders/3","batch":3,)"));
  CHECK(split_record({"orders/3", split_state::waiting, {}, "process 7 still works on it"}) ==
        R"({"event":"split","split":"orders/3","state":"waiting","at":"1970-01-01T00:00:00Z",)"
        R"("reason":"process 7 still works on it"})");
  CHECK(split_record({"orders/3", split_state::released, {}}) ==
        R"({"event":"split","split":"orders/3","state":"released","at":"1970-01-01T00:00:00Z"})");
}

TEST_CASE("a summary is one line of JSON that says whether the counts add up") {
  run_summary run;
  run.totals = sample::ten_rows();
  run.seconds = 2;
  run.outcome = run_outcome::stopped;
  run.places = {{"curated", "customer_order_windows", "sqlite path=orders.db"}};
  CHECK(
      summary_record(run) ==
      R"({"event":"summary","query":"q1","pipeline":"CustomerOrders","outcome":"stopped","batches":3,)"
      R"("rows_read":10,"invalid":1,"late":1,"rejected_results":0,"open_windows":2,"watermark":"2026-01-01T00:00:00Z",)"
      R"("started":"2026-01-01T01:00:00.250Z","rows_per_second":5,"processing_rows_per_second":40,"seconds":2,)"
      R"("plan_seconds":0.05,"process_seconds":0.25,"publish_seconds":0.125,"checkpoint_seconds":0.075,)"
      R"("balanced":true,"imbalances":[],)"
      R"("extracts":[{"node":"orders","read":10,"bytes":1590,"valid":9,"invalid":1,"fast":8,)"
      R"("read_seconds":0.0625,"decode_seconds":0.125,"reasons":{"missing":1}}],)"
      R"("steps":[{"node":"aggregates","received":9,"filtered":2,"late":1,"invalid":0,"duplicate":0,"kept":6,"emitted":4,"rejected_results":0,)"
      R"("seconds":0.03125,"state":{"windows":2,"groups":5,"bytes":4096}}],)"
      R"("loads":[{"node":"curated","asset":"customer_order_windows","rows":4,"seconds":0.09375},)"
      R"({"node":"quarantine","asset":"rejected_order_events","rows":1,"seconds":0.015625}],"warnings":["one window is open for a year"],)"
      R"("places":[{"node":"curated","asset":"customer_order_windows","binding":"sqlite path=orders.db"}]})");
}

TEST_CASE("a failure is one line of JSON") {
  CHECK(failure_record({failure_class::sink_conflict, "PMSTREAM431", "the table differs", "orders.db", "rename it"}) ==
        R"({"event":"failure","class":"sink conflict","code":"PMSTREAM431","message":"the table differs",)"
        R"("where":"orders.db","help":"rename it"})");
}

TEST_CASE("counts that add up are silent") {
  CHECK(imbalances(sample::customer_orders(), sample::ten_rows()).empty());
  CHECK(imbalances(sample::customer_orders(), progress{}).empty());
}

TEST_CASE("a row that is missing somewhere is found by its equation") {
  const program what = sample::customer_orders();
  progress done = sample::ten_rows();
  done.extracts[0].invalid = 0;
  CHECK(imbalances(what, done) == std::vector<std::string>{"orders: 10 rows read, but 9 valid + 0 invalid = 9"});
  done = sample::ten_rows();
  done.steps[0].counts.late = 0;
  CHECK(imbalances(what, done) ==
        std::vector<std::string>{
            "aggregates: 9 rows received, but 2 filtered + 0 late + 0 invalid + 0 duplicate + 6 kept = 8"});
  done = sample::ten_rows();
  done.steps[0].counts.received = 8;
  done.steps[0].counts.kept = 5;
  CHECK(imbalances(what, done) == std::vector<std::string>{"aggregates: received 8 rows, but orders has 9 valid ones"});
}

TEST_CASE("a batch record names the splits that watermarks wait for, if they wait for splits") {
  progress batch = sample::ten_rows();
  CHECK(batch_record(batch).find("slowest_splits") == std::string::npos);
  batch.slowest_splits = {{"aggregates", "orders", "p1", {1'767'225'600'000'000}}};
  CHECK(batch_record(batch).find("\"slowest_splits\":[{\"watermark\":\"aggregates\",\"node\":\"orders\","
                                 "\"split\":\"p1\",\"reached\":\"2026-01-01T00:00:00Z\"}]") != std::string::npos);
}
