#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

// process in pipelines: what a behaviour is called with and when, what becomes of its results, and what a restart
// keeps. Expected values are by hand.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Click {
  text visitor;
  text page;
  timestamp time;
};
struct Visit {
  text visitor;
  checked<std::int64_t, ge<2>> pages;
  std::optional<text> last_page;
  timestamp end;

  bool operator==(const Visit& other) const {
    return visitor == other.visitor && pages.value == other.pages.value && last_page == other.last_page &&
           end == other.end;
  }
};
struct Pages {
  text visitor;
  std::int64_t count;
  std::optional<text> last;
  std::optional<timestamp> closes;
};

/// A visit is over when a visitor has been away for some time; one of a single page is no visit.
struct FindVisits {
  using state = Pages;
  using result = Visit;
  duration pause{30s};
  bool tells_single_pages = false;

  void on_row(Pages& pages, const Click& click, process_context<Visit>& context) const {
    pages.visitor = click.visitor;
    ++pages.count;
    pages.last = click.page;
    const timestamp closes{click.time.microseconds + pause.count()};
    if (pages.closes && pages.closes->microseconds >= closes.microseconds) return;
    context.clear_timers();
    context.set_timer(closes);
    pages.closes = closes;
  }
  void on_timer(Pages& pages, timestamp time, process_context<Visit>& context) const {
    if (pages.count > 1 || tells_single_pages) context.emit({pages.visitor, {pages.count}, pages.last, time});
    context.forget();
  }
};

struct CountClicks {
  input<Click> clicks;
  parameter<duration> pause{30s};
  output<Visit> visits;
};
constexpr auto implement(const CountClicks& t) {
  return t.clicks | watermark<"time">(5s) | group_by<"visitor"> | process(FindVisits{.pause = t.pause});
}
struct Clicks {
  extract<Click, "clicks"> clicks;
  step<CountClicks, "clicks.valid"> count;
  load<Visit, "visits", "count.visits"> visits;
  load<late<Click>, "late", "count.late"> late_clicks;
};

constexpr timestamp second(std::int64_t count) { return {count * 1'000'000}; }
Click click(const char* visitor, const char* page, std::int64_t at) { return {text(visitor), text(page), second(at)}; }

struct outcome {
  std::vector<Visit> rows;
  stage_counts counts;
  std::int64_t keys = 0;
  std::size_t rejected = 0;
};

template <class Stream>
outcome outcome_of(const Stream& stream, const std::vector<std::vector<Click>>& batches) {
  auto source = std::make_shared<memory_source<Click>>();
  auto sink = std::make_shared<memory_sink<Visit>>();
  auto rejected_sink = std::make_shared<memory_sink<rejected<Visit>>>();
  for (const auto& each : batches) source->add(each);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = sink;
  where.assets["rejected"].made_sink = rejected_sink;
  const auto done = run(stream | into("out", {.invalid_results = "rejected"}), where);
  if (!done) FAIL(done.error().message);
  CHECK(accounted_for(done->steps[0].counts) == done->steps[0].counts.received);
  return {sink->rows(), done->steps[0].counts, done->steps[0].state.groups, rejected_sink->rows().size()};
}

constexpr auto timed = from<Click>("in") | watermark<"time">(5s) | group_by<"visitor">;

}  // namespace

TEST_CASE("a behaviour gets rows and timers of its keys, and what it gives out comes out") {
  const auto done = outcome_of(timed | process<FindVisits>(), {{click("a", "start", 10), click("b", "start", 12)},
                                                               {click("a", "shop", 35), click("a", "cart", 20)},
                                                               {click("c", "start", 80)},
                                                               {click("c", "shop", 81)},
                                                               {click("a", "start", 82)}});
  // b left after one page. The timer of a was set to 40 and then to 65, which the watermark has reached with 80 - 5.
  CHECK(done.rows == std::vector<Visit>{{text("a"), {3}, text("cart"), second(65)}});
  CHECK(done.counts.kept == 7);
  CHECK(done.counts.emitted == 1);
  CHECK(done.keys == 2);  // c and a again
}

TEST_CASE("timers fire in the order of their times, whatever their keys and the order in which they were set") {
  const auto done = outcome_of(timed | process(FindVisits{.pause = 10s}),
                               {{click("c", "1", 30), click("c", "2", 30), click("a", "1", 50), click("a", "2", 50),
                                 click("b", "1", 40), click("b", "2", 40)},
                                {click("z", "1", 200)},
                                {click("z", "1", 210)}});
  REQUIRE(done.rows.size() == 3);
  CHECK(done.rows[0].visitor == text("c"));
  CHECK(done.rows[1].visitor == text("b"));
  CHECK(done.rows[2].visitor == text("a"));
}

TEST_CASE("a result that breaks its contract is rejected, and the others come out") {
  const auto done = outcome_of(
      timed | process(FindVisits{.pause = 30s, .tells_single_pages = true}),
      {{click("a", "start", 10), click("b", "start", 12), click("b", "shop", 13)}, {click("c", "start", 80)}});
  CHECK(done.rows == std::vector<Visit>{{text("b"), {2}, text("shop"), second(43)}});
  CHECK(done.counts.rejected_results == 1);
  CHECK(done.rejected == 1);
}

TEST_CASE("the settings of a behaviour can be parameters; late rows go to the late output") {
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  auto source = std::make_shared<memory_source<Click>>();
  auto visits = std::make_shared<memory_sink<Visit>>();
  auto late_clicks = std::make_shared<memory_sink<late<Click>>>();
  where.assets["clicks"].made_source = source;
  where.assets["visits"].made_sink = visits;
  where.assets["late"].made_sink = late_clicks;
  source->add({click("a", "start", 100), click("a", "shop", 101)});
  source->add({click("b", "start", 150)});
  source->add({click("b", "old", 95), click("b", "shop", 152)});
  Clicks pipeline;
  pipeline.count.with.pause = {3s};
  auto running = start(pipeline, where);
  REQUIRE(running.ok());
  running->await();
  REQUIRE(running->outcome().ok());
  CHECK(visits->rows() == std::vector<Visit>{{text("a"), {2}, text("shop"), second(104)}});
  REQUIRE(late_clicks->rows().size() == 1);
  CHECK(late_clicks->rows()[0].event.page == text("old"));

  const program plan = *lower(pipeline);
  const operator_description& shown = plan.nodes[1].operators.back();
  CHECK(shown.name == "process");
  REQUIRE(shown.settings.size() == 4);
  CHECK(shown.settings[2].name == "pause");
  CHECK(shown.settings[2].value == "3s");
  CHECK(plan.nodes[1].state_schema ==
        "key visitor text; process with visitor text, count int64, last text?, closes timestamp?");
}

TEST_CASE("a restart of process goes on with its states and timers") {
  namespace files = std::filesystem;
  const files::path folder = files::temp_directory_path() / ("etlantic-process-" + std::to_string(getpid()));
  files::remove_all(folder);
  profile where;
  where.checkpoint = folder.string();
  where.trigger.kind = trigger_kind::available_now;
  auto source = std::make_shared<memory_source<Click>>();
  where.assets["in"].made_source = source;
  std::vector<Visit> rows;
  const auto run_on = [&](const std::vector<Click>& batch) {
    source->add(batch);
    auto sink = std::make_shared<memory_sink<Visit>>();
    where.assets["out"].made_sink = sink;
    const auto done = run(timed | process<FindVisits>() | into("out"), where);
    if (!done) FAIL(done.error().message << " " << done.error().where);
    rows = sink->rows();
  };
  run_on({click("a", "start", 10), click("a", "shop", 12), click("b", "start", 30)});
  CHECK(rows.empty());
  run_on({click("b", "shop", 48)});  // the timer of a was set to 42
  CHECK(rows == std::vector<Visit>{{text("a"), {2}, text("shop"), second(42)}});
  run_on({click("c", "start", 90)});
  CHECK(rows == std::vector<Visit>{{text("b"), {2}, text("shop"), second(78)}});
  files::remove_all(folder);
}

TEST_CASE("saved states of process that are cut short or changed are refused or read, never more") {
  const auto make = [] {
    return lower_stage(etlantic::detail::as_port_stream((timed | process<FindVisits>() | into("out")).chain),
                       stage_place{.step = "visits"});
  };
  struct ignored final : stage_outputs {
    result<void> emit(std::size_t, const block&) override { return {}; }
  } nowhere;
  block rows(schema_of<Click>());
  for (std::int64_t i = 1; i <= 6; ++i) append_row(rows, click(i % 2 == 0 ? "a" : "b", "a page of the shop", i * 3));
  const auto batch = [&](stage& of) {
    batch_context context;
    context.watermark = second(9);
    of.begin(context);
    REQUIRE(of.process(0, rows, nowhere).ok());
    REQUIRE(of.finish(nowhere).ok());
  };
  auto work = make();
  batch(*work);
  state_writer saved;
  work->save(saved);
  const std::string whole(saved.bytes());
  for (std::size_t size = 0; size < whole.size(); ++size) {
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
    batch(*other);
    CHECK(accounted_for(other->counts()) == 6);
  }
}

TEST_CASE("what process keeps stays level over a thousand pauses if its behaviour forgets") {
  auto work =
      lower_stage(etlantic::detail::as_port_stream((timed | process(FindVisits{.pause = 2s}) | into("out")).chain),
                  stage_place{.step = "visits"});
  struct ignored final : stage_outputs {
    result<void> emit(std::size_t, const block&) override { return {}; }
  } nowhere;
  state_metrics most_early, most_late;
  std::size_t saved_early = 0, saved_late = 0;
  for (std::int64_t number = 0; number < 2'000; ++number) {  // a second of events in each batch
    batch_context context;
    context.watermark = context.late_watermark = second(std::max<std::int64_t>(0, number - 5));
    work->begin(context);
    block rows(schema_of<Click>());
    for (std::int64_t i = 0; i < 100; ++i)
      append_row(rows,
                 click(("visitor number " + std::to_string(1'000'000 + number * 75 + i)).c_str(), "page", number));
    REQUIRE(work->process(0, rows, nowhere).ok());
    REQUIRE(work->finish(nowhere).ok());
    state_writer saved;
    work->save(saved);
    state_metrics& most = number < 100 ? most_early : most_late;
    std::size_t& most_saved = number < 100 ? saved_early : saved_late;
    most.groups = std::max(most.groups, work->state().groups);
    most.bytes = std::max(most.bytes, work->state().bytes);
    most_saved = std::max(most_saved, saved.bytes().size());
  }
  CHECK(most_late.groups <= most_early.groups);
  CHECK(most_late.bytes <= most_early.bytes);
  CHECK(saved_late <= saved_early);
}
