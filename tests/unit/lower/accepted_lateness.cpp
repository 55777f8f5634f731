#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <map>
#include <random>
#include <set>
#include <tuple>

// Windows that take late rows for a while and correct their results.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Event {
  std::int64_t number;
  timestamp time;
};
struct Count {
  timestamp window_start;
  std::int64_t events;
  using key = primary_key<"window_start">;
  bool operator==(const Count&) const = default;
};

timestamp at(std::int64_t seconds) { return {seconds * 1'000'000}; }
Event event(std::int64_t seconds) { return {seconds, at(seconds)}; }
constexpr side_assets sides{.invalid = {}, .late = "late", .invalid_results = {}};

struct outcome {
  std::shared_ptr<memory_source<Event>> in = std::make_shared<memory_source<Event>>();
  std::shared_ptr<memory_sink<Count>> out = std::make_shared<memory_sink<Count>>();
  std::shared_ptr<memory_sink<late<Event>>> late_events = std::make_shared<memory_sink<late<Event>>>();
  progress done;

  void run(const auto& pipeline, const std::vector<std::vector<Event>>& batches) {
    for (const auto& each : batches) in->add(each);
    profile where;
    where.trigger.kind = trigger_kind::available_now;
    where.assets["in"].made_source = in;
    where.assets["out"].made_sink = out;
    where.assets["late"].made_sink = late_events;
    const auto ran = etlantic::run(pipeline, where);
    INFO((ran ? "" : ran.error().message + " " + ran.error().where));
    REQUIRE(ran.ok());
    done = *ran;
  }
};

auto counted(const auto& window, duration accepted) {
  return from<Event>("in") | watermark<"time">(0s) | window | accept_late(accepted) |
         aggregate<Count>(named<"events"> = count());
}

}  // namespace

TEST_CASE("a window takes late rows for as long as it is told, and its corrected result comes out again") {
  outcome made;
  made.run(
      counted(tumbling<"time">(10s), 20s) | into("out", sides),
      {{event(1), event(2)}, {event(15)}, {event(16)}, {event(3)}, {event(30)}, {event(31)}, {event(4), event(32)}});
  CHECK(made.out->rows() ==
        std::vector<Count>{{at(0), 2}, {at(10), 1}, {at(10), 2}, {at(0), 3}, {at(30), 1}, {at(30), 2}, {at(30), 3}});
  // At 30 the window [0, 10) had been closed for 20 seconds.
  REQUIRE(made.late_events->rows().size() == 1);
  CHECK(made.late_events->rows()[0].event.number == 4);
  CHECK(made.late_events->rows()[0].watermark == at(30));
  CHECK(made.late_events->rows()[0].window_end == at(10));
  CHECK(made.done.steps[0].state.windows == 2);  // [10, 20) and [30, 40)
}

TEST_CASE("the watermark itself does not wait") {
  outcome made;
  made.run(counted(tumbling<"time">(10s), 1h) | into("out", sides), {{event(100)}, {event(1)}});
  CHECK(made.done.watermark == at(100));
  CHECK(made.late_events->rows().empty());
}

TEST_CASE("time for late rows may change between runs; it is no part of the state's schema") {
  const auto lowered = lower(counted(tumbling<"time">(10s), 90s) | into("out", sides));
  REQUIRE(lowered.ok());
  const program_node& step = lowered->nodes[1];
  CHECK(step.state_schema.find("accept") == std::string::npos);
  CHECK(step.operators[2].name == "accept_late");
  CHECK(step.operators[2].settings[0].value == "90s");
}

TEST_CASE("a bare pipeline that accepts late rows for no time is refused") {
  const auto lowered = lower(counted(tumbling<"time">(10s), 0s) | into("out", sides));
  REQUIRE(!lowered.ok());
  CHECK(lowered.error().message == "the time for which late rows are accepted must be greater than zero");
}

// ---- against lists --------------------------------------------------------------------------------------------------

namespace {

struct Total {
  std::int64_t id;
  timestamp window_start;
  std::int64_t events, sum;
  using key = primary_key<"id", "window_start">;
};
struct Numbered {
  std::int64_t number;
  std::int64_t id;
  timestamp time;
};
using line = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

struct collected final : stage_outputs {
  std::multiset<line> results;
  std::multiset<std::int64_t> late_numbers;

  result<void> emit(std::size_t port, const block& rows) override {
    for (std::size_t i = 0; i < rows.rows; ++i)
      if (port == 0) {
        const auto row = row_at<Total>(rows, i);
        results.insert({row.id, row.window_start.microseconds, row.events, row.sum});
      } else {
        late_numbers.insert(rows.columns[0].children[0].value<std::int64_t>(i));
      }
    return {};
  }
};

/// Seconds; `slide` divides neither the length nor the other way round.
void check_against_lists(unsigned seed, std::int64_t length, std::int64_t slide, std::int64_t accepted) {
  INFO("seed " << seed << ", length " << length << ", slide " << slide << ", accepted " << accepted);
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random); };
  const auto totals = [&](const auto& window) {
    return from<Numbered>("in") | watermark<"time">(1s) | group_by<"id"> | window |
           accept_late(std::chrono::seconds(accepted)) |
           aggregate<Total>(named<"events"> = count(), named<"sum"> = sum(field<"number">)) | into("out");
  };
  const auto make = [&]() -> std::unique_ptr<stage> {
    const stage_place place{output_mode::update, "step", &schema_of<late<Numbered>>(), 1};
    if (slide == length)
      return lower_stage(etlantic::detail::as_port_stream(totals(tumbling<"time">(std::chrono::seconds(length))).chain),
                         place);
    return lower_stage(etlantic::detail::as_port_stream(
                           totals(sliding<"time">(std::chrono::seconds(length), std::chrono::seconds(slide))).chain),
                       place);
  };
  std::unique_ptr<stage> work = make();
  struct sums {
    std::int64_t events = 0, sum = 0;
    bool changed = false;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, sums> windows;           // by id and start
  std::int64_t number = 0, watermark = 0, late_watermark = 0, middle = 0;  // seconds
  for (int batch = 0; batch < 12; ++batch) {
    std::vector<Numbered> rows;
    for (std::int64_t i = below(40); i > 0; --i)
      rows.push_back({number++, below(3), at(std::max<std::int64_t>(0, middle + below(60) - 40))});
    middle += below(25);
    collected seen, wanted;
    work->begin(batch_context{batch, {}, at(watermark), at(late_watermark), "pipeline", overflow_policy::quarantine});
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t end = std::min(rows.size(), begin + 1 + static_cast<std::size_t>(below(9)));
      block part(schema_of<Numbered>());
      for (; begin < end; ++begin) append_row(part, rows[begin]);
      REQUIRE(work->process(0, part, seen).ok());
    }
    REQUIRE(work->finish(seen).ok());

    for (auto& [key, each] : windows) each.changed = false;
    std::int64_t greatest = 0;
    for (const Numbered& row : rows) {
      const std::int64_t time = row.time.microseconds / 1'000'000;
      greatest = std::max(greatest, time);
      bool taken = false;
      for (std::int64_t start = -100 * slide; start <= time; start += slide) {
        if (time >= start + length || start + length + accepted <= late_watermark) continue;
        sums& into = windows[{row.id, start}];
        ++into.events;
        into.sum += row.number;
        into.changed = taken = true;
      }
      if (!taken) wanted.late_numbers.insert(row.number);
    }
    for (auto each = windows.begin(); each != windows.end();) {
      const auto& [key, of] = *each;
      if (of.changed) wanted.results.insert({key.first, key.second * 1'000'000, of.events, of.sum});
      each = key.second + length + accepted <= watermark ? windows.erase(each) : std::next(each);
    }
    REQUIRE(seen.late_numbers == wanted.late_numbers);
    REQUIRE(seen.results == wanted.results);
    if (slide == length) REQUIRE(work->state().groups == static_cast<std::int64_t>(windows.size()));
    late_watermark = watermark;
    watermark = std::max(watermark, greatest - 1);
    if (below(2) == 0) {
      state_writer saved;
      work->save(saved);
      work = make();
      state_reader reader(saved.bytes());
      REQUIRE(work->restore(reader).ok());
    }
  }
}

}  // namespace

TEST_CASE("windows that accept late rows agree with lists, tumbling and sliding, with odd blocks and restarts") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    check_against_lists(seed, 10, 10, 1 + seed % 30);
    check_against_lists(seed, 10, 3, 1 + seed % 30);
  }
}

TEST_CASE("state stays level over a thousand windows, however many late rows are accepted") {
  outcome made;
  std::vector<std::vector<Event>> batches;
  for (std::int64_t i = 0; i < 1000; ++i)
    batches.push_back({event(10 * i), event(std::max<std::int64_t>(0, 10 * i - 25))});
  made.run(counted(tumbling<"time">(10s), 30s) | into("out", sides), batches);
  CHECK(made.done.steps[0].state.windows <= 5);
  CHECK(made.late_events->rows().empty());
}
