#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

// top, latest_by and lag in pipelines: what comes out when, what is late, what their counts come to, and what a restart
// keeps. Expected values are by hand.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Sale {
  text shop;
  std::optional<std::int64_t> amount;
  timestamp time;
  using key = primary_key<"shop">;

  bool operator==(const Sale&) const = default;
};
struct RankedSale {
  std::int64_t rank;
  text shop;
  std::optional<std::int64_t> amount;
  timestamp window_start, window_end;

  bool operator==(const RankedSale&) const = default;
};
struct Change {
  text shop;
  std::optional<std::int64_t> amount, before;

  bool operator==(const Change&) const = default;
};

constexpr timestamp second(std::int64_t count) { return {count * 1'000'000}; }
Sale sale(const char* shop, std::int64_t amount, std::int64_t at) { return {text(shop), amount, second(at)}; }
Sale nothing(const char* shop, std::int64_t at) { return {text(shop), std::nullopt, second(at)}; }

template <class Out>
struct outcome {
  std::vector<Out> rows;
  std::vector<std::vector<Out>> batches;
  std::vector<late<Sale>> late_rows;
  stage_counts counts;
  state_metrics state;
};

template <class Out, class Stream>
outcome<Out> outcome_of(const Stream& stream, const std::vector<std::vector<Sale>>& batches) {
  auto source = std::make_shared<memory_source<Sale>>();
  auto sink = std::make_shared<memory_sink<Out>>();
  auto late_sink = std::make_shared<memory_sink<late<Sale>>>();
  for (const auto& each : batches) source->add(each);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = sink;
  where.assets["late"].made_sink = late_sink;
  const auto done = run(stream | into("out", {.late = "late"}), where);
  if (!done) FAIL(done.error().message);
  outcome<Out> made{sink->rows(), {}, late_sink->rows(), done->steps[0].counts, done->steps[0].state};
  for (const auto& each : sink->batches()) made.batches.push_back(each.rows);
  CHECK(accounted_for(made.counts) == made.counts.received);
  return made;
}

constexpr auto sales = from<Sale>("in") | watermark<"time">(0s);
constexpr auto by_shop = sales | group_by<"shop">;
using ranked_sales = std::vector<RankedSale>;

}  // namespace

// ---- top ------------------------------------------------------------------------------------------------------------

TEST_CASE("top gives the greatest rows of each group and window when the watermark closes it, with their ranks") {
  const auto done = outcome_of<RankedSale>(
      by_shop | tumbling<"time">(10s) | top<2, "amount"> | select<RankedSale>(),
      {{sale("south", 5, 1), sale("north", 9, 2), sale("south", 7, 9), sale("south", 6, 3), sale("north", 1, 11)},
       {sale("south", 8, 12)},
       {sale("south", 9, 30)}});
  CHECK(done.rows == ranked_sales{{1, text("north"), 9, second(0), second(10)},
                                  {1, text("south"), 7, second(0), second(10)},
                                  {2, text("south"), 6, second(0), second(10)},
                                  {1, text("north"), 1, second(10), second(20)},
                                  {1, text("south"), 8, second(10), second(20)}});
  CHECK(done.counts.kept == 7);
  CHECK(done.counts.emitted == 5);
  CHECK(done.state.groups == 1);
  CHECK(done.state.windows == 1);
}

TEST_CASE("top: nulls come last in either direction, and equal values in the order of the fields") {
  const std::vector<std::vector<Sale>> batches{
      {nothing("a", 1), sale("c", 4, 2), sale("b", 4, 3), sale("b", 4, 1), sale("d", 3, 1)}, {sale("z", 0, 60)}};
  const auto greatest =
      outcome_of<RankedSale>(sales | tumbling<"time">(10s) | top<5, "amount"> | select<RankedSale>(), batches);
  std::vector<std::string> shops;
  for (const RankedSale& each : greatest.rows) shops.push_back(each.shop.value);
  CHECK(shops == std::vector<std::string>{"b", "b", "c", "d", "a"});
  const auto least = outcome_of<RankedSale>(
      sales | tumbling<"time">(10s) | top<9, "amount">.ascending() | select<RankedSale>(), batches);
  shops.clear();
  for (const RankedSale& each : least.rows) shops.push_back(each.shop.value);
  CHECK(shops == std::vector<std::string>{"d", "b", "b", "c", "a"});
}

TEST_CASE("top without a selection behind it gives the rows as they came") {
  const auto done = outcome_of<Sale>(sales | tumbling<"time">(10s) | top<1, "amount">,
                                     {{sale("a", 1, 1), sale("b", 2, 2)}, {sale("c", 0, 60)}});
  CHECK(done.rows == std::vector<Sale>{sale("b", 2, 2)});
}

TEST_CASE("a late row of top goes to the late output with the window that it missed; rows of closed windows stay out") {
  const auto done = outcome_of<RankedSale>(
      sales | sliding<"time">(10s, 5s) | top<2, "amount"> | select<RankedSale>(),
      {{sale("a", 1, 21)}, {sale("b", 2, 22)}, {sale("c", 9, 3), sale("d", 9, 16)}, {sale("e", 0, 60)}});
  REQUIRE(done.late_rows.size() == 1);
  CHECK(done.late_rows[0].event.shop == text("c"));
  CHECK(done.late_rows[0].window_end == second(10));
  // Of the windows [10, 20) and [15, 25) around second 16 the first one was closed when it came.
  CHECK(done.rows == ranked_sales{{1, text("d"), 9, second(15), second(25)},
                                  {2, text("b"), 2, second(15), second(25)},
                                  {1, text("b"), 2, second(20), second(30)},
                                  {2, text("a"), 1, second(20), second(30)}});
}

namespace {

struct Total {
  text shop;
  timestamp window_start, window_end;
  std::int64_t sales;
};

}  // namespace

TEST_CASE("top behind an aggregation ranks the results of each window") {
  struct RankedTotal {
    std::int64_t rank;
    text shop;
    timestamp window_start;
    std::int64_t sales;
    bool operator==(const RankedTotal&) const = default;
  };
  const auto done = outcome_of<RankedTotal>(
      by_shop | tumbling<"time">(10s) | aggregate<Total>(named<"sales"> = count()) | top<2, "sales"> |
          select<RankedTotal>(),
      {{sale("a", 1, 1), sale("b", 1, 1), sale("b", 1, 2), sale("c", 1, 3), sale("c", 1, 3), sale("c", 1, 3)},
       {sale("a", 1, 12)},
       {sale("z", 0, 60)}});
  CHECK(done.rows == std::vector<RankedTotal>{
                         {1, text("c"), second(0), 3}, {2, text("b"), second(0), 2}, {1, text("a"), second(10), 1}});
}

TEST_CASE("top of a value that cannot be computed sets the row aside as invalid") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto done = outcome_of<RankedSale>(
      sales | derive<"twice">(field<"amount"> * 2) | tumbling<"time">(10s) | top<3, "twice"> | select<RankedSale>(),
      {{sale("a", most, 1), sale("b", 1, 2)}, {sale("z", 0, 60)}});
  CHECK(done.rows == ranked_sales{{1, text("b"), 1, second(0), second(10)}});
  CHECK(done.counts.invalid == 1);
}

// ---- latest_by ------------------------------------------------------------------------------------------------------

TEST_CASE("latest_by gives a row that became the newest of its key, once a batch") {
  const auto done = outcome_of<Sale>(from<Sale>("in") | watermark<"time">(5s) | latest_by<"shop">,
                                     {{sale("a", 1, 10), sale("a", 2, 12), sale("b", 3, 11), sale("a", 4, 9)},
                                      {sale("a", 5, 11), sale("b", 6, 11), sale("c", 7, 13)},
                                      {sale("b", 8, 11), sale("b", 2, 11)}});
  const std::vector<std::vector<Sale>> expected{
      {sale("b", 3, 11), sale("a", 2, 12)}, {sale("b", 6, 11), sale("c", 7, 13)}, {sale("b", 8, 11)}};
  CHECK(done.batches == expected);
  CHECK(done.counts.kept == 9);
  CHECK(done.counts.emitted == 5);
}

TEST_CASE("latest_by forgets a key that the watermark has reached: a row behind it is late") {
  // Batches that follow at once judge lateness by the watermark of the one before.
  const std::vector<std::vector<Sale>> batches{{sale("a", 1, 10)},
                                               {sale("b", 2, 50)},
                                               {sale("b", 2, 50)},
                                               {sale("a", 3, 20), sale("c", 4, 30)},
                                               {sale("b", 9, 51)}};
  const auto forgetful = outcome_of<Sale>(sales | latest_by<"shop">, batches);
  CHECK(forgetful.rows == std::vector<Sale>{sale("a", 1, 10), sale("b", 2, 50), sale("b", 9, 51)});
  CHECK(forgetful.late_rows.size() == 2);
  CHECK(forgetful.state.groups == 0);
  // The other form has no late output.
  auto source = std::make_shared<memory_source<Sale>>();
  auto sink = std::make_shared<memory_sink<Sale>>();
  for (const auto& each : batches) source->add(each);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = sink;
  const auto done = run(sales | latest_by<"shop">.keeping_every_key() | into("out"), where);
  REQUIRE(done.ok());
  CHECK(sink->rows() ==
        std::vector<Sale>{sale("a", 1, 10), sale("b", 2, 50), sale("a", 3, 20), sale("c", 4, 30), sale("b", 9, 51)});
  CHECK(done->steps[0].state.groups == 3);
}

// ---- lag ------------------------------------------------------------------------------------------------------------

namespace {

constexpr auto changes = by_shop | lag<"amount">.as<"before">().forget_after(30s) | select<Change>();

}  // namespace

TEST_CASE("lag gives each row the value before it in event time, and nothing where that was too long ago") {
  const std::vector<std::vector<Sale>> batches{{sale("a", 3, 30), sale("a", 1, 10), sale("b", 7, 20)},
                                               {sale("a", 4, 40), nothing("b", 45), sale("b", 9, 46)},
                                               {sale("a", 5, 70), sale("b", 8, 75)},
                                               {sale("z", 0, 200)}};
  const std::vector<Change> expected{{text("a"), 1, std::nullopt},
                                     {text("b"), 7, std::nullopt},
                                     {text("a"), 3, 1},
                                     {text("a"), 4, 3},
                                     {text("b"), std::nullopt, 7},
                                     {text("b"), 9, std::nullopt},  // the value before it is null
                                     {text("a"), 5, std::nullopt},  // 30 seconds behind the one before it
                                     {text("b"), 8, 9},
                                     {text("z"), 0, std::nullopt}};
  const auto done = outcome_of<Change>(changes, batches);
  CHECK(done.rows == expected);
  CHECK(done.late_rows.empty());
  CHECK(done.state.groups == 1);  // what z came to; all other keys are forgotten

  std::vector<Sale> all;
  for (const auto& each : batches) all.insert(all.end(), each.begin(), each.end());
  CHECK(outcome_of<Change>(changes, {all}).rows == expected);
}

TEST_CASE("lag: a row behind the watermark is late, whatever its key") {
  const auto done =
      outcome_of<Change>(changes, {{sale("a", 1, 10)}, {sale("a", 2, 20)}, {sale("a", 9, 10), sale("b", 3, 15)}});
  CHECK(done.rows ==
        std::vector<Change>{{text("a"), 1, std::nullopt}, {text("b"), 3, std::nullopt}, {text("a"), 2, 1}});
  REQUIRE(done.late_rows.size() == 1);
  CHECK(done.late_rows[0].event == sale("a", 9, 10));
}

TEST_CASE("lag without a group looks back over all rows") {
  const auto done = outcome_of<Change>(sales | lag<"amount", 2>.as<"before">() | select<Change>(),
                                       {{sale("c", 3, 3), sale("a", 1, 1), sale("b", 2, 2)}});
  CHECK(done.rows ==
        std::vector<Change>{{text("a"), 1, std::nullopt}, {text("b"), 2, std::nullopt}, {text("c"), 3, 1}});
}

// ---- unions, workers ------------------------------------------------------------------------------------------------

namespace {

struct CompareTwo {
  input<Sale> web, desk;
  output<Change> rows;
};
constexpr auto implement(const CompareTwo& t) {
  return union_all(t.web | watermark<"time">(0s), t.desk | watermark<"time">(0s)) | group_by<"shop"> |
         lag<"amount">.as<"before">().forget_after(1h) | select<Change>();
}
struct TwoInputs {
  extract<Sale, "web"> web;
  extract<Sale, "desk"> desk;
  step<CompareTwo, "web.valid", "desk.valid"> compare;
  load<Change, "out", "compare.rows"> out;
  load<late<Sale>, "late", "compare.late"> late_sales;
};

}  // namespace

TEST_CASE("lag behind a union waits for the slower stream and looks back over both") {
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  auto web = std::make_shared<memory_source<Sale>>(), desk = std::make_shared<memory_source<Sale>>();
  auto out = std::make_shared<memory_sink<Change>>();
  where.assets["web"].made_source = web;
  where.assets["desk"].made_source = desk;
  where.assets["out"].made_sink = out;
  where.assets["late"].made_sink = std::make_shared<memory_sink<late<Sale>>>();
  web->add({sale("a", 1, 10), sale("a", 3, 30)});
  desk->add({sale("a", 2, 20), sale("b", 9, 15)});
  auto running = start<TwoInputs>(where);
  REQUIRE(running.ok());
  running->await();
  REQUIRE(running->outcome().ok());
  // The desk has come to second 20 only.
  CHECK(out->rows() ==
        std::vector<Change>{{text("a"), 1, std::nullopt}, {text("b"), 9, std::nullopt}, {text("a"), 2, 1}});
}

TEST_CASE("what top, latest_by and lag give does not depend on the number of workers") {
  const auto rows_of = [](const auto& stream, auto row, std::size_t workers) {
    auto source = std::make_shared<memory_lines_source>();
    auto sink = std::make_shared<memory_sink<decltype(row)>>();
    for (std::int64_t batch = 0; batch < 5; ++batch) {
      std::vector<std::string> lines;
      for (std::int64_t i = batch * 20'000; i < (batch + 1) * 20'000; ++i)
        lines.push_back("{\"shop\":\"shop " + std::to_string(i % 7) +
                        "\",\"amount\":" + std::to_string(i * 7919 % 100) + ",\"time\":\"1970-01-01T00:0" +
                        std::to_string(batch) + ":" + std::to_string(10 + i * 31 % 50) + "Z\"}");
      source->add(lines);
    }
    profile where;
    where.trigger.kind = trigger_kind::available_now;
    where.workers = workers;
    where.assets["in"].made_source = source;
    where.assets["out"].made_sink = sink;
    const auto done = run(stream | into("out"), where);
    if (!done) FAIL(done.error().message);
    return sink->rows();
  };
  const auto check = [&](const auto& stream, auto row) {
    const auto alone = rows_of(stream, row, 1);
    CHECK(alone.size() > 20);
    CHECK(rows_of(stream, row, 3) == alone);
  };
  check(by_shop | tumbling<"time">(10s) | top<3, "amount"> | select<RankedSale>(), RankedSale{});
  check(sales | latest_by<"shop">, Sale{});
  check(changes, Change{});
}

// ---- restarts, plans ------------------------------------------------------------------------------------------------

TEST_CASE("a restart of lag goes on with the rows that wait and those that lie behind") {
  namespace files = std::filesystem;
  const files::path folder = files::temp_directory_path() / ("etlantic-lag-" + std::to_string(getpid()));
  files::remove_all(folder);
  profile where;
  where.checkpoint = folder.string();
  where.trigger.kind = trigger_kind::available_now;
  auto source = std::make_shared<memory_source<Sale>>();
  where.assets["in"].made_source = source;
  std::vector<Change> rows;
  const auto run_on = [&](const std::vector<Sale>& batch) {
    source->add(batch);
    auto sink = std::make_shared<memory_sink<Change>>();
    where.assets["out"].made_sink = sink;
    const auto done = run(from<Sale>("in") | watermark<"time">(5s) | group_by<"shop"> |
                              lag<"amount">.as<"before">().forget_after(30s) | select<Change>() | into("out"),
                          where);
    if (!done) FAIL(done.error().message << " " << done.error().where);
    rows = sink->rows();
  };
  run_on({sale("a", 1, 10), sale("a", 2, 18)});
  CHECK(rows == std::vector<Change>{{text("a"), 1, std::nullopt}});
  run_on({sale("a", 3, 16), sale("a", 4, 30)});
  CHECK(rows == std::vector<Change>{{text("a"), 3, 1}, {text("a"), 2, 3}});
  files::remove_all(folder);
}

TEST_CASE("saved rows that are cut short or changed are refused or read, never more") {
  const auto check = [](const auto& stream) {
    const auto make = [&] {
      return lower_stage(etlantic::detail::as_port_stream((stream | into("out")).chain), stage_place{.step = "keep"});
    };
    struct ignored final : stage_outputs {
      result<void> emit(std::size_t, const block&) override { return {}; }
    } nowhere;
    auto work = make();
    block rows(schema_of<Sale>());
    for (std::int64_t i = 1; i <= 6; ++i) append_row(rows, sale(i % 2 == 0 ? "a" : "b", i, i * 3));
    const auto batch = [&](stage& of) {
      batch_context context;
      context.watermark = second(9);
      of.begin(context);
      REQUIRE(of.process(0, rows, nowhere).ok());
      REQUIRE(of.finish(nowhere).ok());
    };
    batch(*work);
    state_writer saved;
    work->save(saved);
    const std::string whole(saved.bytes());
    for (std::size_t size = 0; size < whole.size(); ++size) {
      state_reader from(std::string_view(whole).substr(0, size));
      const auto done = make()->restore(from);
      REQUIRE(!done.ok());
      CHECK(done.error().code == "PMSTREAM483");
      CHECK(done.error().where == "keep");
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(~damaged[at]);
      state_reader from(damaged);
      auto other = make();
      if (!other->restore(from)) continue;
      batch(*other);
      CHECK(accounted_for(other->counts()) == 6);
    }
  };
  check(by_shop | tumbling<"time">(10s) | top<2, "amount">);
  check(from<Sale>("in") | watermark<"time">(0s) | latest_by<"shop">);
  check(by_shop | lag<"amount">.keeping_every_key());
}

TEST_CASE("a plan says what top, latest_by and lag keep and when they forget") {
  const auto plan = [](const auto& stream) {
    auto made = lower(stream | into("out"));
    REQUIRE(made.ok());
    return *std::move(made);
  };
  const std::string rows = " of rows shop text, amount int64?, time timestamp";
  const program top_plan = plan(by_shop | tumbling<"time">(10s) | top<2, "amount">);
  CHECK(top_plan.nodes[1].operators.back().name == "top");
  CHECK(top_plan.nodes[1].operators.back().settings[0].value == "2");
  CHECK(top_plan.nodes[1].operators.back().settings[1].name == "greatest");
  CHECK(top_plan.nodes[1].operators.back().settings[1].value == "amount");
  CHECK(top_plan.nodes[1].state_schema ==
        "key shop text; tumbling time 10s offset 0us; top 2 greatest amount int64" + rows);
  const program latest_plan = plan(sales | latest_by<"shop">.keeping_every_key());
  CHECK(latest_plan.nodes[1].state_schema == "latest_by shop text, kept," + rows);
  CHECK(latest_plan.nodes[2].mode == output_mode::update);
  const program lag_plan = plan(by_shop | lag<"amount", 2>.forget_after(1h));
  CHECK(lag_plan.nodes[1].state_schema == "key shop text; lag amount int64 2 forgotten 1h" + rows);
  CHECK(lag_plan.nodes[2].mode == output_mode::append);
  const auto warns = [](const program& of, const char* name) {
    return std::count(of.warnings.begin(), of.warnings.end(),
                      "transform remembers every key of " + std::string(name) + " for good: its state grows") == 1;
  };
  CHECK(warns(latest_plan, "latest_by"));
  CHECK(!warns(plan(sales | latest_by<"shop">), "latest_by"));
  CHECK(warns(plan(by_shop | lag<"amount">.keeping_every_key()), "lag"));
  CHECK(!warns(lag_plan, "lag"));
  CHECK(!warns(plan(sales | lag<"amount">), "lag"));
}
