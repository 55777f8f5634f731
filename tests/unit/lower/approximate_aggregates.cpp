#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

// Aggregates that estimate: many values in whole pipelines, state that stays level, what saved states say of
// themselves.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Visit {
  timestamp ts;
  std::int64_t visitor;
};
struct Visitors {
  timestamp window_start;
  std::int64_t visitors;
};

template <class Result>
struct collected final : stage_outputs {
  std::vector<Result> results;
  result<void> emit(std::size_t port, const block& rows) override {
    if (port == 0)
      for (std::size_t i = 0; i < rows.rows; ++i) results.push_back(row_at<Result>(rows, i));
    return {};
  }
};

template <class Pipeline>
std::unique_ptr<stage> stage_of(const Pipeline& pipeline, output_mode mode) {
  return lower_stage(etlantic::detail::as_port_stream(pipeline.chain), stage_place{mode, "step"});
}

/// Saves a stage and goes on with another that reads it.
template <class Pipeline>
void restart(std::unique_ptr<stage>& work, const Pipeline& pipeline, output_mode mode) {
  state_writer saved;
  work->save(saved);
  work = stage_of(pipeline, mode);
  state_reader from(saved.bytes());
  REQUIRE(work->restore(from).ok());
  REQUIRE(from.at_end());
}

/// The state of 1,000 windows, each with the rows that `rows_of` gives, does not grow.
template <class Pipeline, class Rows>
void check_level(const Pipeline& pipeline, Rows rows_of, std::int64_t most_bytes) {
  auto work = stage_of(pipeline, output_mode::append);
  collected<Visitors> out;
  std::size_t saved_at_first = 0;
  for (std::int64_t window = 0; window < 1'000; ++window) {
    batch_context batch;
    batch.watermark.microseconds = batch.late_watermark.microseconds = window * 10'000'000;
    work->begin(batch);
    block rows(schema_of<Visit>());
    rows_of(rows, window);
    REQUIRE(work->process(0, rows, out).ok());
    REQUIRE(work->finish(out).ok());
    REQUIRE(work->state().bytes <= most_bytes);
    state_writer saved;
    work->save(saved);
    if (window == 20) saved_at_first = saved.bytes().size();
    if (window > 20) REQUIRE(saved.bytes().size() <= saved_at_first + saved_at_first / 10);
  }
  CHECK(out.results.size() >= 900);
}

}  // namespace

TEST_CASE("windows that slide estimate many visitors as well as those that do not, over restarts") {
  const auto pipeline = from<Visit>("in") | watermark<"ts">(0s) | sliding<"ts">(10s, 2s) |
                        aggregate<Visitors>(named<"visitors"> = approximate_count_distinct(field<"visitor">)) |
                        into<output_mode::complete>("out");
  auto work = stage_of(pipeline, output_mode::complete);
  collected<Visitors> out;
  // In second s come visitors 1,000 s to 1,000 s + 1,999: in 10 seconds there are 11,000 different ones.
  for (std::int64_t second = 0; second < 40; second += 4) {
    work->begin({});
    block rows(schema_of<Visit>());
    for (std::int64_t i = 0; i < 8'000; ++i) {
      const std::int64_t at = second + i % 4;
      append_row(rows, Visit{{at * 1'000'000}, at * 1'000 + i / 4});
    }
    REQUIRE(work->process(0, rows, out).ok());
    out.results.clear();
    REQUIRE(work->finish(out).ok());
    restart(work, pipeline, output_mode::complete);
  }
  std::size_t full = 0;
  for (const Visitors& each : out.results) {
    const std::int64_t start = each.window_start.microseconds / 1'000'000;
    if (start < 0 || start > 30) continue;
    ++full;
    INFO("the window that starts at " << start << " s");
    CHECK(std::abs(static_cast<double>(each.visitors) - 11'000) < 11'000 * 4 * 0.01625);
  }
  CHECK(full == 16);
}

TEST_CASE(
    "what approximate_count_distinct keeps stays level, in windows and in sessions, and is in the bytes of the state") {
  const auto visitors = named<"visitors"> = approximate_count_distinct(field<"visitor">);
  const auto many = [](block& rows, std::int64_t window) {
    for (std::int64_t i = 0; i < 2'000; ++i) append_row(rows, Visit{{window * 10'000'000 + i}, window * 2'000 + i});
  };
  check_level(from<Visit>("in") | watermark<"ts">(0s) | tumbling<"ts">(10s) | aggregate<Visitors>(visitors) |
                  into<output_mode::append>("out"),
              many, 2 * 4096 + 4096);
  check_level(from<Visit>("in") | watermark<"ts">(0s) | session<"ts">(1s) | aggregate<Visitors>(visitors) | into("out"),
              many, 16 * 4096);

  auto work = stage_of(
      from<Visit>("in") | watermark<"ts">(0s) | session<"ts">(1s) | aggregate<Visitors>(visitors) | into("out"),
      output_mode::append);
  collected<Visitors> out;
  block rows(schema_of<Visit>());
  many(rows, 0);
  work->begin({});
  REQUIRE(work->process(0, rows, out).ok());
  CHECK(work->state().bytes > 4096);
}

TEST_CASE("what approximate_quantile keeps stays level, in windows and in sessions") {
  const auto late_visitor = named<"visitors"> = approximate_quantile<95>(field<"visitor">);
  const auto many = [](block& rows, std::int64_t window) {
    for (std::int64_t i = 0; i < 2'000; ++i) append_row(rows, Visit{{window * 10'000'000 + i}, i * i * i});
  };
  check_level(from<Visit>("in") | watermark<"ts">(0s) | tumbling<"ts">(10s) | aggregate<Visitors>(late_visitor) |
                  into<output_mode::append>("out"),
              many, 64 * 1024);
  check_level(
      from<Visit>("in") | watermark<"ts">(0s) | session<"ts">(1s) | aggregate<Visitors>(late_visitor) | into("out"),
      many, 256 * 1024);
}

TEST_CASE("quantiles of durations and decimals, by key, over a restart; null where there are no values") {
  struct Request {
    text path;
    std::optional<duration> wait;
    decimal<10, 2> price;
  };
  struct Slow {
    text path;
    std::optional<duration> median, slowest;
    decimal<12, 2> price;
  };
  const auto pipeline = from<Request>("in") | group_by<"path"> |
                        aggregate<Slow>(named<"median"> = approximate_quantile<50>(field<"wait">),
                                        named<"slowest"> = approximate_quantile<100>(field<"wait">),
                                        named<"price"> = approximate_quantile<50>(field<"price">)) |
                        into<output_mode::complete>("out");
  auto work = stage_of(pipeline, output_mode::complete);
  collected<Slow> out;
  for (int batch = 0; batch < 2; ++batch) {
    work->begin({});
    block rows(schema_of<Request>());
    for (int i = batch; i < 101; i += 2)
      append_row(rows, Request{text("/"), duration(i * i * 1'000), decimal<10, 2>::from_scaled(i * 10)});
    append_row(rows, Request{text("/none"), std::nullopt, decimal<10, 2>("1.00")});
    REQUIRE(work->process(0, rows, out).ok());
    out.results.clear();
    REQUIRE(work->finish(out).ok());
    restart(work, pipeline, output_mode::complete);
  }
  REQUIRE(out.results.size() == 2);
  const Slow& some = out.results[out.results[0].path == text("/") ? 0 : 1];
  const Slow& none = out.results[out.results[0].path == text("/") ? 1 : 0];
  CHECK(std::abs(some.median->count() - 2'500'000) <= 2'500'000 / 128);
  CHECK(some.slowest == 10s);
  CHECK(std::abs(static_cast<long>(some.price.scaled) - 500) <= 3);
  CHECK(!none.median);
  CHECK(!none.slowest);
  CHECK(none.price == decimal<12, 2>("1.00"));
}

TEST_CASE("the schema of a state names the sketch and its version") {
  struct Kept {
    std::int64_t visitors, median;
  };
  const auto made = lower(from<Visit>("in") |
                          aggregate<Kept>(named<"visitors"> = approximate_count_distinct(field<"visitor">),
                                          named<"median"> = approximate_quantile<50>(field<"visitor">)) |
                          into<output_mode::complete>("out"));
  REQUIRE(made.ok());
  CHECK(made->nodes[1].state_schema ==
        "aggregate visitors = approximate_count_distinct(visitor) int64 of int64 by hyperloglog(12) version 1; "
        "aggregate median = "
        "approximate_quantile<50, 100>(visitor) int64 by ddsketch(64, 4096) version 1");
}
