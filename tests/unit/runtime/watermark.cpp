#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

using namespace etlantic;
using namespace etlantic::test;

namespace {

/// Watermarks in seconds after each batch that had data.
struct watermarks_after_data {
  std::vector<double> seconds;
  query::listener listener() {
    return [this](const progress& batch) {
      if (!batch.no_data) seconds.push_back(static_cast<double>(batch.watermark.microseconds) / second);
    };
  }
};

/// Runs each batch of the script in a query of its own, so that one without data always follows.
std::vector<double> run_apart(hand_made_pipeline& pipeline,
                              std::initializer_list<std::initializer_list<double>> batches) {
  watermarks_after_data seen;
  for (const auto& batch : batches) {
    pipeline.input->add(batch);
    REQUIRE(pipeline.run(nullptr, seen.listener()).ok());
  }
  return seen.seconds;
}

}  // namespace

TEST_CASE("WM-01: lateness uses the watermark that was in force when the batch began") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.window = 10 * second, .delay = 0, .checkpoint = kept / "checkpoint"};
  run_apart(pipeline, {{100, 5, 7}});
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 2}});
  run_apart(pipeline, {{200}});
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 2}, {100, 110, 1}});
  CHECK(pipeline.late_rows->rows.empty());
}

TEST_CASE("WM-02: a window is final when its end equals the watermark") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.window = 5 * second, .delay = 10 * second, .checkpoint = kept / "checkpoint"};
  run_apart(pipeline, {{10, 11, 12, 13, 14, 15}});
  CHECK(pipeline.curated->rows.empty());
  run_apart(pipeline, {{25}});
  CHECK(pipeline.curated->rows == table_rows{{10, 15, 5}});
  run_apart(pipeline, {{10}});
  CHECK(pipeline.curated->rows == table_rows{{10, 15, 5}});
  CHECK(pipeline.late_rows->rows == table_rows{{10}});
}

TEST_CASE("WM-07: the watermark never moves back") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.window = 10 * second, .delay = 10 * second, .checkpoint = kept / "checkpoint"};
  CHECK(run_apart(pipeline, {{100}, {50}, {101}, {120}}) == std::vector<double>{90, 90, 91, 110});
  CHECK(pipeline.late_rows->rows == table_rows{{50}});
  CHECK(pipeline.curated->rows == table_rows{{100, 110, 2}});
}

TEST_CASE("WM-08: the last window stays open while no later event arrives") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.window = 10 * second, .delay = 5 * second, .checkpoint = kept / "checkpoint"};
  run_apart(pipeline, {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}});
  for (int trigger = 0; trigger < 10; ++trigger) REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows.empty());
  run_apart(pipeline, {{15}});
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 10}});
}

TEST_CASE("WM-17: the watermark survives restarts and goes on dropping") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.window = 5 * second, .delay = 10 * second, .checkpoint = kept / "checkpoint"};
  run_apart(pipeline, {{10, 11, 12, 13, 14, 15}, {25}});
  CHECK(pipeline.curated->rows == table_rows{{10, 15, 5}});
  run_apart(pipeline, {{10, 27, 30}});
  CHECK(pipeline.curated->rows == table_rows{{10, 15, 5}, {15, 20, 1}});
  run_apart(pipeline, {{17}, {40}});
  CHECK(pipeline.curated->rows == table_rows{{10, 15, 5}, {15, 20, 1}, {25, 30, 2}});
  CHECK(pipeline.late_rows->rows == table_rows{{10}, {17}});
}

TEST_CASE("RC-06: run-once keeps the watermark") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{.window = 5 * second,
                              .delay = 10 * second,
                              .trigger = trigger_kind::once,
                              .checkpoint = kept / "checkpoint",
                              .no_data_batches = false};
  run_apart(pipeline, {{15}, {10, 12, 14}, {25}, {50}});
  CHECK(pipeline.curated->rows == table_rows{{10, 15, 3}});
  run_apart(pipeline, {{50}});
  CHECK(pipeline.curated->rows == table_rows{{10, 15, 3}, {15, 20, 1}, {25, 30, 1}});
  std::vector<std::int64_t> in_force;
  for (const batch_context& batch : *pipeline.contexts) in_force.push_back(batch.watermark.microseconds / second);
  CHECK(in_force == std::vector<std::int64_t>{0, 5, 5, 15, 40});
}

TEST_CASE("batches that follow each other at once judge lateness one batch behind") {
  hand_made_pipeline pipeline{.window = 10 * second, .delay = 0};
  pipeline.input->pause_after_batch = false;
  pipeline.input->add({100});
  pipeline.input->add(
      {5});  // watermark 100 is in force, but the batch before ran under 0: not late, and leaves at once
  pipeline.input->add({6});  // now the batch before ran under 100
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 1}});
  CHECK(pipeline.late_rows->rows == table_rows{{6}});
  std::vector<std::pair<std::int64_t, std::int64_t>> marks;
  for (const batch_context& batch : *pipeline.contexts)
    marks.emplace_back(batch.watermark.microseconds / second, batch.late_watermark.microseconds / second);
  CHECK(marks == std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {100, 0}, {100, 100}});
}

TEST_CASE("a batch without data that is still due runs after a restart") {
  const temporary_directory kept;
  hand_made_pipeline pipeline{
      .window = 10 * second, .delay = 0, .trigger = trigger_kind::once, .checkpoint = kept / "c"};
  pipeline.input->add({5, 100});
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows.empty());
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.curated->rows == table_rows{{0, 10, 1}});
  REQUIRE(pipeline.contexts->size() == 2);
  REQUIRE(pipeline.run().ok());
  CHECK(pipeline.contexts->size() == 2);
}
