#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

hand_made_pipeline started_once(const temporary_directory& kept) {
  hand_made_pipeline pipeline{.window = 10 * second, .delay = 0, .checkpoint = kept / "checkpoint"};
  pipeline.input->add({1, 2});
  REQUIRE(pipeline.run().ok());
  return pipeline;
}

result<void> run_changed(const hand_made_pipeline& pipeline, const program& changed, query::listener listener = {}) {
  result<query> started = start_program(changed, pipeline.settings(), std::move(listener), pipeline.environment());
  if (!started) return started.error();
  started->await();
  return started->outcome();
}

}  // namespace

TEST_CASE("a checkpoint of another pipeline is refused") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = started_once(kept);
  pipeline.id = "Totals";
  const result<void> refused = pipeline.run();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM465");
  CHECK(refused.error().message ==
        "checkpoint '" + pipeline.checkpoint + "' belongs to pipeline 'Counts', not to 'Totals'");
}

TEST_CASE("RC-09: a changed state is refused with the step and both schemas") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = started_once(kept);
  pipeline.state_schema = "window_start timestamp, total int64";
  const result<void> refused = pipeline.run();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::checkpoint);
  CHECK(refused.error().message == "the pipeline cannot go on from checkpoint '" + pipeline.checkpoint +
                                       "': the state of step 'windows' changed from 'window_start timestamp, count "
                                       "int64' to 'window_start timestamp, "
                                       "total int64'");
  CHECK_FALSE(refused.error().help.empty());
}

TEST_CASE("another watermark delay is accepted and told in the first batch") {
  const temporary_directory kept;
  hand_made_pipeline pipeline = started_once(kept);
  pipeline.delay = 5 * second;
  pipeline.input->add({50});
  std::vector<progress> seen;
  REQUIRE(pipeline.run(nullptr, [&](const progress& batch) { seen.push_back(batch); }).ok());
  REQUIRE(seen.size() == 2);
  REQUIRE(seen[0].warnings.size() == 1);
  CHECK(seen[0].warnings[0].find("step 'windows' changed") == 0);
  CHECK(seen[1].warnings.empty());
  CHECK(seen[1].watermark == timestamp{45 * second});
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 2}});
  pipeline.input->add({51});
  seen.clear();
  REQUIRE(pipeline.run(nullptr, [&](const progress& batch) { seen.push_back(batch); }).ok());
  CHECK(seen[0].warnings.empty());  // the change is part of the identity now
}

TEST_CASE("a predicate and a load may change, an aggregate, an input or a stateful step may not") {
  const temporary_directory kept;
  const hand_made_pipeline pipeline = started_once(kept);
  program changed = pipeline.lowered();
  SECTION("a predicate that was not there") {
    changed.nodes[1].operators.insert(changed.nodes[1].operators.begin(), {"where", {{"predicate", "ts > 0"}}});
    CHECK(run_changed(pipeline, changed).ok());
  }
  SECTION("a load less") {
    changed.nodes.pop_back();
    CHECK(run_changed(pipeline, changed).ok());
  }
  SECTION("an aggregate") {
    changed.nodes[1].operators.back().settings[0].value = "count(ts)";
    CHECK_FALSE(run_changed(pipeline, changed).ok());
  }
  SECTION("an extract under another name") {
    changed.nodes[0].name = "more_events";
    const result<void> refused = run_changed(pipeline, changed);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("extract 'events' is not in the pipeline any more") != std::string::npos);
  }
  SECTION("a stateful step under another name") {
    changed.nodes[1].name = "other_windows";
    CHECK_FALSE(run_changed(pipeline, changed).ok());
  }
  // Whatever was refused changed nothing: the pipeline as it was goes on.
  CHECK(pipeline.run().ok());
}
