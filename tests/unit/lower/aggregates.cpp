#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <limits>

// What single aggregate functions give, over rows in memory.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

template <class In, class Out, class Pipeline>
std::vector<Out> results_of(const Pipeline& pipeline, const std::vector<std::vector<In>>& batches) {
  auto source = std::make_shared<memory_source<In>>();
  auto sink = std::make_shared<memory_sink<Out>>();
  for (const auto& each : batches) source->add(each);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = sink;
  const auto done = run(pipeline, where);
  if (!done) FAIL(done.error().message);
  return sink->rows();
}

struct Measured {
  text key;
  timestamp ts;
  std::int64_t value;
};
struct Everything {
  text key;
  timestamp window_start;
  std::int64_t count, sum, min, max;
  double avg;
  std::int64_t latest, first, last, distinct;
};

struct Real {
  double value;
};
struct RealTotals {
  double sum;
};
struct Maybe {
  std::optional<double> value;
};
struct Spread {
  std::optional<double> variance, deviation;
};

auto spread_of(auto rows) {
  return rows |
         aggregate<Spread>(named<"variance"> = variance(field<"value">), named<"deviation"> = stddev(field<"value">)) |
         into<output_mode::complete>("out");
}
std::optional<double> variance_of(const std::vector<std::optional<double>>& values) {
  std::vector<Maybe> rows;
  for (const auto& each : values) rows.push_back({each});
  const auto found = results_of<Maybe, Spread>(spread_of(from<Maybe>("in")), {rows});
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].variance.has_value() == found[0].deviation.has_value());
  if (found[0].variance && !std::isnan(*found[0].variance)) CHECK(*found[0].deviation == std::sqrt(*found[0].variance));
  return found[0].variance;
}

}  // namespace

TEST_CASE("SES-09: all aggregates of one window over several batches, where the latest row does not come last") {
  const auto pipeline =
      from<Measured>("in") | watermark<"ts">(100s) | group_by<"key"> | tumbling<"ts">(60s) |
      aggregate<Everything>(named<"count"> = count(), named<"sum"> = sum(field<"value">),
                            named<"min"> = min(field<"value">), named<"max"> = max(field<"value">),
                            named<"avg"> = avg(field<"value">), named<"latest"> = max_by(field<"value">, field<"ts">),
                            named<"first"> = first(field<"value">), named<"last"> = last(field<"value">),
                            named<"distinct"> = count_distinct(field<"value">)) |
      into<output_mode::append>("out");
  const auto rows =
      results_of<Measured, Everything>(pipeline, {{{text("a"), {0}, 5}},
                                                  {{text("a"), {20'000'000}, 1}, {text("a"), {20'500'000}, 9}},
                                                  {{text("a"), {10'000'000}, 3}},
                                                  {{text("z"), {1'000'000'000}, 0}}});
  REQUIRE(rows.size() == 1);
  const Everything& got = rows[0];
  CHECK(got.count == 4);
  CHECK(got.sum == 18);
  CHECK(got.min == 1);
  CHECK(got.max == 9);
  CHECK(got.avg == 4.5);
  CHECK(got.latest == 9);
  CHECK(got.first == 5);
  CHECK(got.last == 3);
  CHECK(got.distinct == 4);
}

TEST_CASE("first and last of merged sessions go by source order, not by the order of the sessions") {
  struct Session {
    timestamp window_start;
    std::int64_t count, first, last, distinct;
  };
  const auto pipeline =
      from<Measured>("in") | watermark<"ts">(100s) | session<"ts">(10s) |
      aggregate<Session>(named<"count"> = count(), named<"first"> = first(field<"value">),
                         named<"last"> = last(field<"value">), named<"distinct"> = count_distinct(field<"value">)) |
      into("out");
  const auto rows =
      results_of<Measured, Session>(pipeline, {{{text("a"), {20'000'000}, 1}, {text("a"), {0}, 5}},
                                               {{text("a"), {1'000'000}, 1}, {text("a"), {22'000'000}, 4}},
                                               {{text("a"), {10'000'000}, 3}},
                                               {{text("z"), {1'000'000'000}, 0}}});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].count == 5);
  CHECK(rows[0].first == 1);
  CHECK(rows[0].last == 3);
  CHECK(rows[0].distinct == 4);
}

TEST_CASE("FL-05: sums of infinities are plain additions") {
  const auto sum_of = [](const std::vector<Real>& rows) {
    return results_of<Real, RealTotals>(from<Real>("in") | aggregate<RealTotals>(named<"sum"> = sum(field<"value">)) |
                                            into<output_mode::complete>("out"),
                                        {rows})
        .at(0)
        .sum;
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK(sum_of({{infinite}, {1}}) == infinite);
  CHECK(std::isnan(sum_of({{infinite}, {-infinite}})));
  CHECK(sum_of({{1e308}, {1e308}, {-1e308}}) == infinite);
}

TEST_CASE("FL-06: state keeps all bits of floating point over a restart") {
  namespace files = std::filesystem;
  const files::path folder = files::temp_directory_path() / ("etlantic-bits-" + std::to_string(getpid()));
  files::remove_all(folder);
  profile where;
  where.checkpoint = folder.string();
  where.trigger.kind = trigger_kind::available_now;
  auto source = std::make_shared<memory_source<Real>>();
  where.assets["in"].made_source = source;
  std::vector<RealTotals> rows;
  for (int part = 0; part < 2; ++part) {
    source->add({{0.1}, {0.1}, {0.1}, {0.1}, {0.1}});
    auto sink = std::make_shared<memory_sink<RealTotals>>();
    where.assets["out"].made_sink = sink;
    REQUIRE(run(from<Real>("in") | aggregate<RealTotals>(named<"sum"> = sum(field<"value">)) |
                    into<output_mode::complete>("out"),
                where)
                .ok());
    rows = sink->rows();
  }
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].sum == 0.9999999999999999);
  files::remove_all(folder);
}

TEST_CASE("DC-07: sum and mean of decimals have digits for more than their values") {
  struct Money {
    decimal<10, 2> amount;
  };
  struct Totals {
    decimal<20, 2> sum;
    decimal<14, 6> avg;
  };
  const decimal<10, 2> most("99999999.99");
  const auto rows = results_of<Money, Totals>(
      from<Money>("in") | aggregate<Totals>(named<"sum"> = sum(field<"amount">), named<"avg"> = avg(field<"amount">)) |
          into<output_mode::complete>("out"),
      {{{most}, {most}}});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].sum == decimal<20, 2>("199999999.98"));
  CHECK(rows[0].avg == decimal<14, 6>("99999999.990000"));
}

TEST_CASE("the variance of a sample; there is none of fewer than two values") {
  CHECK(variance_of({2, 4, 4, 4, 5, 5, 7, 9}) == std::optional<double>(32.0 / 7));
  CHECK(variance_of({1, std::nullopt, 3}) == std::optional<double>(2));
  CHECK(!variance_of({1, std::nullopt}));
  CHECK(!variance_of({std::nullopt}));
  CHECK(variance_of({5, 5, 5}) == std::optional<double>(0));
}

TEST_CASE("the variance of large values close to each other is not lost in their squares") {
  CHECK(variance_of({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) == std::optional<double>(30));
}

TEST_CASE("the variance of values with an infinity or NaN among them is NaN") {
  CHECK(std::isnan(*variance_of({1, std::numeric_limits<double>::infinity()})));
  CHECK(std::isnan(*variance_of({1, std::numeric_limits<double>::quiet_NaN(), 2})));
}

TEST_CASE("a row without order does not count for max_by and min_by; without any such row there is no value") {
  struct Scored {
    std::int64_t id;
    std::optional<double> score;
  };
  struct Best {
    std::optional<std::int64_t> best, worst;
  };
  const auto best_of = [](const std::vector<Scored>& rows) {
    return results_of<Scored, Best>(from<Scored>("in") |
                                        aggregate<Best>(named<"best"> = max_by(field<"id">, field<"score">),
                                                        named<"worst"> = min_by(field<"id">, field<"score">)) |
                                        into<output_mode::complete>("out"),
                                    {rows})
        .at(0);
  };
  const Best some = best_of({{1, std::nullopt}, {2, 0.5}, {3, 2.5}, {4, 0.5}, {5, 2.5}, {6, std::nullopt}});
  CHECK(some.best == 5);  // the later of two
  CHECK(some.worst == 4);
  const Best none = best_of({{1, std::nullopt}});
  CHECK(!none.best);
  CHECK(!none.worst);
  const Best zeros = best_of({{1, 0.0}, {2, -0.0}});
  CHECK(zeros.best == 2);  // they are equal
  CHECK(zeros.worst == 2);
}

TEST_CASE("first and last tell nulls; a predicate that is null is not true") {
  struct Ends {
    std::optional<double> first, last;
    std::int64_t positive;
  };
  const auto rows = results_of<Maybe, Ends>(
      from<Maybe>("in") |
          aggregate<Ends>(named<"first"> = first(field<"value">), named<"last"> = last(field<"value">),
                          named<"positive"> = count_if(field<"value"> > 0.0)) |
          into<output_mode::complete>("out"),
      {{{std::nullopt}, {1.0}, {-1.0}, {2.0}}});
  REQUIRE(rows.size() == 1);
  CHECK(!rows[0].first);
  CHECK(rows[0].last == 2.0);
  CHECK(rows[0].positive == 2);
}

TEST_CASE("what count_distinct keeps is in the bytes of the state, and goes with its window") {
  struct Visitors {
    timestamp window_start;
    std::int64_t visitors;
  };
  const auto pipeline = from<Measured>("in") | watermark<"ts">(0s) | tumbling<"ts">(10s) |
                        aggregate<Visitors>(named<"visitors"> = count_distinct(field<"value">)) |
                        into<output_mode::append>("out");
  auto work = lower_stage(etlantic::detail::as_port_stream(pipeline.chain), stage_place{output_mode::append, "step"});
  struct ignored final : stage_outputs {
    result<void> emit(std::size_t, const block&) override { return {}; }
  } nowhere;
  std::int64_t most = 0;
  for (std::int64_t window = 0; window < 1'000; ++window) {
    batch_context batch;
    batch.watermark.microseconds = batch.late_watermark.microseconds = window * 10'000'000;
    work->begin(batch);
    block rows(schema_of<Measured>());
    for (std::int64_t i = 0; i < 100; ++i)
      append_row(rows, Measured{text("a"), {window * 10'000'000 + i}, window * 100 + i});
    REQUIRE(work->process(0, rows, nowhere).ok());
    REQUIRE(work->finish(nowhere).ok());
    CHECK(work->state().groups == 1);
    if (window == 0) most = work->state().bytes;
    CHECK(work->state().bytes >= 100 * 8);
    CHECK(work->state().bytes <= most);
  }
}

TEST_CASE("the schema of a state says by what type a row is chosen and which values are counted") {
  struct Kept {
    std::int64_t latest, different;
  };
  const auto made = lower(from<Measured>("in") |
                          aggregate<Kept>(named<"latest"> = max_by(field<"value">, field<"ts">),
                                          named<"different"> = count_distinct(field<"key">)) |
                          into<output_mode::complete>("out"));
  REQUIRE(made.ok());
  CHECK(made->nodes[1].state_schema ==
        "aggregate latest = max_by(value, ts) int64 by timestamp; aggregate different = count_distinct(key) int64 of "
        "text");
}

TEST_CASE("saved states of all functions that are cut short are refused, and changed ones are never more than wrong") {
  struct All {
    text key;
    std::optional<text> latest;
    timestamp first_time;
    std::int64_t different, texts, large;
    std::optional<double> spread;
  };
  const auto pipeline =
      from<Measured>("in") | group_by<"key"> |
      aggregate<All>(named<"latest"> = max_by(field<"key">, field<"value">), named<"first_time"> = first(field<"ts">),
                     named<"different"> = count_distinct(field<"value">), named<"texts"> = count_distinct(field<"key">),
                     named<"large"> = count_if(field<"value"> > 5), named<"spread"> = variance(field<"value">)) |
      into<output_mode::complete>("out");
  const auto make = [&] {
    return lower_stage(etlantic::detail::as_port_stream(pipeline.chain), stage_place{output_mode::complete, "step"});
  };
  struct ignored final : stage_outputs {
    result<void> emit(std::size_t, const block&) override { return {}; }
  } nowhere;
  block rows(schema_of<Measured>());
  for (std::int64_t i = 0; i < 12; ++i)
    append_row(rows, Measured{text(i % 2 == 0 ? "a" : "a key that does not fit inside"), {i}, i % 7});
  auto work = make();
  work->begin({});
  REQUIRE(work->process(0, rows, nowhere).ok());
  state_writer saved;
  work->save(saved);
  const std::string whole(saved.bytes());
  for (std::size_t size = 0; size + sizeof(std::uint64_t) < whole.size(); ++size) {  // behind it are no told results
    state_reader from(std::string_view(whole).substr(0, size));
    const auto done = make()->restore(from);
    REQUIRE(!done.ok());
    CHECK(done.error().code == "PMSTREAM483");
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    state_reader from(damaged);
    auto other = make();
    if (!other->restore(from)) continue;
    other->begin({});
    REQUIRE(other->process(0, rows, nowhere).ok());
    REQUIRE(other->finish(nowhere).ok());
  }
}
