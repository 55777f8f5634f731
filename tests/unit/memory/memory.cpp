#include "support/catch.hpp"

#include <etlantic/connect/memory/lines_source.hpp>
#include <etlantic/connect/memory/sink.hpp>
#include <etlantic/connect/memory/source.hpp>

#include <thread>

using namespace etlantic;

namespace {

struct Number {
  std::int64_t value;
};

struct taken final : intake {
  std::vector<std::int64_t> values, positions;
  std::string bytes;
  std::int64_t begin = -1;

  result<void> lines(std::string_view, std::int64_t at, std::string_view text) override {
    begin = at;
    bytes += text;
    return {};
  }
  result<void> rows(const block& typed) override {
    for (std::size_t i = 0; i < typed.rows; ++i) values.push_back(row_at<Number>(typed, i).value);
    positions.insert(positions.end(), typed.positions.begin(), typed.positions.end());
    return {};
  }
};

std::vector<std::vector<split_range>> plan_all(source& from, std::int64_t max_rows) {
  std::vector<std::vector<split_range>> plans;
  intake_limits limits;
  limits.max_rows = max_rows;
  for (;;) {
    auto plan = from.plan(limits);
    REQUIRE(plan.ok());
    if (plan->empty()) return plans;
    plans.push_back(*plan);
  }
}

publication publish(std::int64_t batch, output_mode mode, std::vector<std::int64_t> values) {
  publication made{batch, mode, {block(schema_of<Number>())}};
  for (std::int64_t value : values) append_row(made.blocks[0], Number{value});
  return made;
}

}  // namespace

TEST_CASE("RC-11: a batch of memory rows keeps the limit, and rows added after freezing wait for the next run") {
  memory_source<Number> rows;
  rows.add({{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}});
  REQUIRE(rows.freeze().ok());
  rows.add({{11}, {12}, {13}, {14}, {15}});
  const auto plans = plan_all(rows, 4);
  REQUIRE(plans.size() == 3);
  CHECK(plans[0][0] == split_range{"memory", 0, 4});
  CHECK(plans[1][0] == split_range{"memory", 4, 8});
  CHECK(plans[2][0] == split_range{"memory", 8, 10});
  REQUIRE(rows.freeze().ok());
  CHECK(plan_all(rows, 100).size() == 1);
}

TEST_CASE("RC-02: a planned range gives the same rows when it is read again, whatever was added since") {
  memory_source<Number> rows;
  rows.add({{1}, {2}, {3}});
  const auto plan = plan_all(rows, 100).at(0).at(0);
  rows.add({{4}});
  for (int i = 0; i < 2; ++i) {
    taken got;
    REQUIRE(rows.read(plan, got).ok());
    CHECK(got.values == std::vector<std::int64_t>{1, 2, 3});
    CHECK(got.positions == std::vector<std::int64_t>{0, 1, 2});
  }
}

TEST_CASE("a restored memory source goes on behind what was read, and misses rows that are gone") {
  memory_source<Number> rows;
  rows.add({{1}, {2}, {3}});
  REQUIRE(rows.restore({{"memory", 0, 2}}).ok());
  CHECK(plan_all(rows, 100).at(0).at(0) == split_range{"memory", 2, 3});
  taken got;
  CHECK_FALSE(rows.read({"memory", 2, 9}, got).ok());
}

TEST_CASE("what waits in memory is counted, up to the end at which it was frozen") {
  memory_source<Number> rows;
  CHECK(rows.waiting() == waiting_input{.rows = 0});
  rows.add({{1}, {2}, {3}});
  rows.add({{4}, {5}});
  intake_limits limits;
  limits.max_rows = 2;
  REQUIRE(rows.plan(limits).ok());
  CHECK(rows.waiting() == waiting_input{.rows = 3});
  REQUIRE(rows.freeze().ok());
  rows.add({{6}});
  CHECK(rows.waiting() == waiting_input{.rows = 3});
  REQUIRE(rows.restore({{"memory", 0, 4}}).ok());
  CHECK(rows.waiting() == waiting_input{.rows = 2});

  memory_lines_source lines;
  lines.add({"one", "three"});
  lines.add({"fourteen"});
  limits.max_rows = 1;
  REQUIRE(lines.plan(limits).ok());
  CHECK(lines.waiting() == waiting_input{.rows = 2, .bytes = 6 + 9});
}

TEST_CASE("who waits for rows in memory is woken when they are added") {
  memory_source<Number> rows;
  CHECK(rows.await_rows(duration{0}) == std::optional(false));
  std::thread other([&] { rows.add({{1}}); });
  CHECK(rows.await_rows(std::chrono::hours{1}) == std::optional(true));
  other.join();
  REQUIRE(rows.plan({}).ok());
  CHECK(rows.await_rows(duration{0}) == std::optional(false));
  memory_lines_source lines;
  lines.add({"one"});
  CHECK(lines.await_rows(std::chrono::hours{1}) == std::optional(true));
  REQUIRE(lines.freeze().ok());
  REQUIRE(lines.plan({}).ok());
  lines.add({"two"});
  CHECK(lines.await_rows(duration{0}) == std::optional(false));  // the end was before it
}

TEST_CASE("lines in memory are cut at line ends and batches") {
  memory_lines_source lines;
  lines.add({"one", "two\n"});
  lines.add({"three"});
  const auto plans = plan_all(lines, 100);
  REQUIRE(plans.size() == 2);
  taken got;
  REQUIRE(lines.read(plans[1][0], got).ok());
  CHECK(got.bytes == "three\n");
  CHECK(got.begin == 8);
  memory_lines_source again;
  again.add({"a", "b", "c"});
  CHECK(plan_all(again, 2).size() == 2);
}

TEST_CASE("a memory sink takes each batch once, also from another query object, and forgets what is aborted") {
  memory_sink<Number> sink;
  REQUIRE(sink.open(schema_of<Number>(), output_mode::append, {"query", "load"}).ok());
  REQUIRE(sink.prepare(publish(0, output_mode::append, {1, 2})).ok());
  REQUIRE(sink.commit(0).ok());
  REQUIRE(sink.prepare(publish(1, output_mode::append, {3})).ok());
  sink.abort();
  REQUIRE(sink.open(schema_of<Number>(), output_mode::append, {"query", "load"}).ok());
  for (std::int64_t batch : {0, 1, 1}) {
    REQUIRE(sink.prepare(publish(batch, output_mode::append, {batch + 10})).ok());
    REQUIRE(sink.commit(batch).ok());
  }
  std::vector<std::int64_t> values;
  for (const Number& each : sink.rows()) values.push_back(each.value);
  CHECK(values == std::vector<std::int64_t>{1, 2, 11});
}

TEST_CASE("OM-10: a complete result replaces the one before, also when it shrinks") {
  memory_sink<Number> sink;
  REQUIRE(sink.open(schema_of<Number>(), output_mode::complete, {"query", "load"}).ok());
  REQUIRE(sink.prepare(publish(0, output_mode::complete, {1, 2})).ok());
  REQUIRE(sink.commit(0).ok());
  REQUIRE(sink.prepare(publish(1, output_mode::complete, {})).ok());
  REQUIRE(sink.commit(1).ok());
  CHECK(sink.rows().empty());
}
