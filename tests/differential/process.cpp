#include "support/catch.hpp"
#include "support/rounds.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

// process against a map of states and a list of timers that is searched: keys with nulls, states with text and nulls,
// timers that are set, moved, cleared and set by timers, keys that are forgotten, late rows and rows without a time,
// blocks of odd lengths, restarts.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Row {
  std::optional<std::int32_t> id;
  std::optional<text> payload;
  bool wanted;
  std::optional<timestamp> time;
  std::int64_t number;
};
struct Told {
  text what;
  std::int64_t number;
  std::int64_t count;
  std::optional<text> last;
};
struct Kept {
  std::int64_t count;
  std::optional<text> last;
  std::optional<timestamp> closes;
};

constexpr std::int64_t delay = 2'000'000;

struct Follow {
  using state = Kept;
  using result = Told;
  duration gap{};

  void on_row(Kept& kept, const Row& row, process_context<Told>& context) const {
    ++kept.count;
    kept.last = row.payload;
    if (row.number % 3 == 0) context.emit({text("row"), row.number, kept.count, kept.last});
    if (row.number % 13 == 0) context.clear_timers();
    if (row.number % 7 == 0) context.set_timer(timestamp{row.number * 5'000});
    if (row.time) {
      if (kept.closes) context.clear_timer(*kept.closes);
      kept.closes = timestamp{row.time->microseconds + gap.count()};
      context.set_timer(*kept.closes);
    }
    if (row.number % 29 == 0) context.forget();
  }
  void on_timer(Kept& kept, timestamp time, process_context<Told>& context) const {
    context.emit({text("timer"), time.microseconds, kept.count, kept.last});
    if (kept.count % 2 == 0) {
      ++kept.count;
      context.set_timer(time);  // not behind the one that fires
      context.set_timer(timestamp{time.microseconds + 300'000});
    } else
      context.forget();
  }
};

std::string as_text(const Told& row) {
  return row.what.value + " " + std::to_string(row.number) + " " + std::to_string(row.count) + " " +
         (row.last ? row.last->value : "-");
}

struct collected final : stage_outputs {
  std::vector<std::string> told;
  std::vector<std::pair<std::int64_t, std::string>> timers;
  std::vector<std::int64_t> late_numbers;

  result<void> emit(std::size_t port, const block& given) override {
    for (std::size_t i = 0; i < given.rows; ++i) {
      if (port == 2) {
        late_numbers.push_back(given.columns[0].children[4].value<std::int64_t>(i));
        continue;
      }
      const Told row = row_at<Told>(given, i);
      if (row.what == text("row"))
        told.push_back(as_text(row));
      else
        timers.emplace_back(row.number, as_text(row));
    }
    return {};
  }
};

// ---- model ----------------------------------------------------------------------------------------------------------

struct model {
  struct kept_state {
    std::int64_t count = 0;
    std::string last = "-";
    std::optional<std::int64_t> closes;
  };
  std::int64_t gap;
  std::map<std::string, kept_state> states;
  std::vector<std::pair<std::int64_t, std::string>> open;  // in no order

  std::vector<std::string> told;
  std::vector<std::pair<std::int64_t, std::string>> timers;
  std::vector<std::int64_t> late_numbers;

  void set(std::int64_t time, const std::string& key) {
    if (std::find(open.begin(), open.end(), std::pair(time, key)) == open.end()) open.emplace_back(time, key);
  }
  void clear_all(const std::string& key) {
    std::erase_if(open, [&](const auto& each) { return each.second == key; });
  }

  void add(const Row& row, std::int64_t late_watermark) {
    if (!row.wanted) return;
    if (row.time && row.time->microseconds <= late_watermark) return late_numbers.push_back(row.number);
    const std::string key = row.id ? std::to_string(*row.id) : "null";
    kept_state& kept = states[key];
    ++kept.count;
    kept.last = row.payload ? row.payload->value : "-";
    if (row.number % 3 == 0)
      told.push_back("row " + std::to_string(row.number) + " " + std::to_string(kept.count) + " " + kept.last);
    if (row.number % 13 == 0) clear_all(key);
    if (row.number % 7 == 0) set(row.number * 5'000, key);
    if (row.time) {
      if (kept.closes) std::erase(open, std::pair(*kept.closes, key));
      kept.closes = row.time->microseconds + gap;
      set(*kept.closes, key);
    }
    if (row.number % 29 == 0) clear_all(key), states.erase(key);
  }
  void finish(std::int64_t watermark) {
    for (;;) {
      const auto first = std::min_element(open.begin(), open.end());
      if (first == open.end() || first->first > watermark) return;
      const auto [time, key] = *first;
      open.erase(first);
      kept_state& kept = states.at(key);
      timers.emplace_back(time, "timer " + std::to_string(time) + " " + std::to_string(kept.count) + " " + kept.last);
      if (kept.count % 2 == 0)
        ++kept.count, set(time + 300'000, key);
      else
        clear_all(key), states.erase(key);
    }
  }
};

// ---- runs -----------------------------------------------------------------------------------------------------------

struct run_settings {
  std::int64_t keys = 5;
  std::int64_t step = 20'000;
  std::size_t batches = 30;
  std::int64_t rows_per_batch = 400;
};

std::unique_ptr<stage> make_stage() {
  const auto pipeline = from<Row>("in") | watermark<"time">(2s) | etlantic::where(field<"wanted">) | group_by<"id"> |
                        process(Follow{.gap = 1s}) | into("out");
  return lower_stage(etlantic::detail::as_port_stream(pipeline.chain),
                     stage_place{output_mode::append, "step", &schema_of<late<Row>>(), 2});
}

void compare(const run_settings& how, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random); };
  model expected{1'000'000, {}, {}, {}, {}, {}};
  auto work = make_stage();
  std::int64_t watermark = 0, late_watermark = 0, number = 0;
  for (std::size_t batch_number = 0; batch_number < how.batches; ++batch_number) {
    INFO("batch " << batch_number << ", seed " << seed);
    std::vector<Row> rows(static_cast<std::size_t>(below(how.rows_per_batch)));
    std::optional<std::int64_t> greatest;
    for (Row& row : rows) {
      row.number = number++;
      if (below(20) != 0) row.id = static_cast<std::int32_t>(below(how.keys));
      if (below(4) != 0) row.payload = text("a payload that is long enough " + std::to_string(below(4)));
      row.wanted = below(10) != 0;
      const std::int64_t behind = below(25) == 0 ? below(20'000'000) : below(3'000'000);
      if (below(30) != 0) row.time = timestamp{(row.number * how.step - behind) / 250'000 * 250'000};
      if (row.wanted && row.time)
        greatest = std::max(greatest.value_or(row.time->microseconds), row.time->microseconds);
    }
    batch_context batch;
    batch.watermark.microseconds = watermark;
    batch.late_watermark.microseconds = late_watermark;
    work->begin(batch);
    collected out;
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t end = std::min(rows.size(), begin + static_cast<std::size_t>(1 + below(how.rows_per_batch)));
      block some(schema_of<Row>());
      for (std::size_t i = begin; i < end; ++i) append_row(some, rows[i]);
      REQUIRE(work->process(0, some, out).ok());
      begin = end;
    }
    REQUIRE(work->finish(out).ok());
    expected.told.clear(), expected.timers.clear(), expected.late_numbers.clear();
    for (const Row& row : rows) expected.add(row, late_watermark);
    expected.finish(watermark);

    REQUIRE(out.told == expected.told);
    // In the order of their times; those of one time in the order of keys that the model does not know.
    REQUIRE(std::is_sorted(out.timers.begin(), out.timers.end(),
                           [](const auto& l, const auto& r) { return l.first < r.first; }));
    std::sort(out.timers.begin(), out.timers.end());
    std::sort(expected.timers.begin(), expected.timers.end());
    REQUIRE(out.timers == expected.timers);
    REQUIRE(out.late_numbers == expected.late_numbers);
    REQUIRE(accounted_for(work->counts()) == static_cast<std::int64_t>(rows.size()));
    REQUIRE(work->counts().emitted == static_cast<std::int64_t>(out.told.size() + out.timers.size()));
    REQUIRE(work->state().groups == static_cast<std::int64_t>(expected.states.size()));

    late_watermark = watermark;
    if (greatest) watermark = std::max(watermark, (*greatest - delay) / 1000 * 1000);
    if (below(3) != 0) continue;
    state_writer saved;
    work->save(saved);
    work = make_stage();
    state_reader reader(saved.bytes());
    REQUIRE(work->restore(reader).ok());
    REQUIRE(reader.at_end());
  }
}

}  // namespace

TEST_CASE("process agrees with a map of states and a list of timers, over many seeds, with restarts now and then") {
  for (unsigned seed = 1; seed <= test::rounds(60); ++seed) compare({}, seed * 10);
}
TEST_CASE("process agrees with a map of states and a list of timers when there are many keys") {
  for (unsigned seed = 1; seed <= test::rounds(3); ++seed) compare({20'000, 300, 8, 12'000}, seed * 1000);
}
TEST_CASE("process agrees with a map of states and a list of timers when every batch fires most of them") {
  for (unsigned seed = 1; seed <= test::rounds(10); ++seed) compare({1'000, 400'000, 25, 500}, seed * 77);
}
