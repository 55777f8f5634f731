#include "support/catch.hpp"
#include "support/rounds.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// top, latest_by and lag against lists of rows that are sorted when they are asked: keys and values with nulls, NaN,
// both zeros, many ties, times out of order, late and missing ones, blocks of odd lengths, restarts. A second stage
// gets the rows of each batch in another order and must give the same.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Row {
  std::optional<std::int32_t> id;
  std::optional<text> name;
  double real;
  bool wanted;
  std::optional<timestamp> time;
  std::optional<text> payload;
  std::int64_t number;
};
struct Ranked {
  std::int64_t number, rank;
  timestamp window_start, window_end;
};
struct Lagged {
  std::int64_t number;
  std::optional<text> before;
};

constexpr std::int64_t delay = 2'000'000;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

constexpr auto timed_rows = from<Row>("in") | watermark<"time">(2s) | etlantic::where(field<"wanted">);

template <class Chain>
std::unique_ptr<stage> make_stage(const Chain& chain) {
  return lower_stage(etlantic::detail::as_port_stream((chain | into("out")).chain),
                     stage_place{output_mode::append, "step", &schema_of<late<Row>>(), 2});
}

// ---- what comes out -------------------------------------------------------------------------------------------------

/// A row that came out, as text.
template <class Out>
std::string as_text(const Out& row);
template <>
std::string as_text(const Ranked& row) {
  return std::to_string(row.window_end.microseconds) + " " + std::to_string(row.window_start.microseconds) + " rank " +
         std::to_string(row.rank) + ": " + std::to_string(row.number);
}
template <>
std::string as_text(const Row& row) {
  return std::to_string(row.number) + " " + (row.payload ? row.payload->value : "-");
}
template <>
std::string as_text(const Lagged& row) {
  return std::to_string(row.number) + " behind " + (row.before ? row.before->value : "-");
}

template <class Out>
struct collected final : stage_outputs {
  std::vector<std::string> rows;
  std::vector<std::int64_t> late_numbers;

  result<void> emit(std::size_t port, const block& given) override {
    for (std::size_t i = 0; i < given.rows; ++i) {
      if (port == 2)
        late_numbers.push_back(given.columns[0].children[6].value<std::int64_t>(i));
      else
        rows.push_back(as_text(row_at<Out>(given, i)));
    }
    return {};
  }
};

std::optional<timestamp> greatest_event_time(const stage& of) {
  std::vector<std::optional<timestamp>> found;
  of.add_greatest_event_times(found);
  return found.at(0);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

class row_maker {
 public:
  row_maker(unsigned seed, std::int64_t keys, std::int64_t step) : random_(seed), keys_(keys), step_(step) {}

  std::vector<Row> make(std::size_t count) {
    std::vector<Row> made;
    for (std::size_t i = 0; i < count; ++i) {
      Row row{};
      row.number = number_++;
      if (below(20) != 0) row.id = static_cast<std::int32_t>(below(keys_));
      if (below(20) != 0)
        row.name = text(std::string(static_cast<std::size_t>(below(3) * 9), 'x') + std::to_string(below(2)));
      constexpr double reals[] = {0.0, -0.0, 1.5, -3.0, std::numeric_limits<double>::infinity()};
      row.real = below(8) == 0 ? std::copysign(std::nan(std::to_string(below(5)).c_str()), below(2) == 0 ? 1.0 : -1.0)
                               : reals[below(5)];
      row.wanted = below(10) != 0;
      if (below(30) != 0) row.time = timestamp{time()};
      if (below(4) != 0) row.payload = text("payload that is long enough " + std::to_string(below(4)));
      made.push_back(std::move(row));
    }
    return made;
  }

  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_); }
  void shuffle(std::vector<Row>& rows) { std::shuffle(rows.begin(), rows.end(), random_); }

 private:
  std::int64_t time() {
    const std::int64_t now = number_ * step_;
    const std::int64_t behind = below(25) == 0 ? below(20'000'000) : below(3'000'000);
    return (now - behind) / 250'000 * 250'000 + below(2);
  }

  std::mt19937_64 random_;
  std::int64_t keys_, step_, number_ = 0;
};

block as_block(const std::vector<Row>& rows, std::size_t begin, std::size_t end) {
  block made(schema_of<Row>());
  for (std::size_t i = begin; i < end; ++i) append_row(made, rows[i]);
  return made;
}

// ---- order of rows, for the models ----------------------------------------------------------------------------------

template <class T>
int order_of(const T& left, const T& right) {
  return left < right ? -1 : right < left ? 1 : 0;
}
int order_of(const text& left, const text& right) { return order_of(left.value, right.value); }
int order_of(const timestamp& left, const timestamp& right) { return order_of(left.microseconds, right.microseconds); }
template <class T>
int order_of(const std::optional<T>& left, const std::optional<T>& right) {
  if (!left || !right) return order_of(!left.has_value(), !right.has_value());
  return order_of(*left, *right);
}
/// As numbers: both zeros are equal, and so are all NaN, which are greater than numbers.
int order_as_numbers(double left, double right) {
  if (std::isnan(left) || std::isnan(right)) return order_of(std::isnan(left), std::isnan(right));
  return order_of(left, right);
}
int order_of(double left, double right) {
  if (const int order = order_as_numbers(left, right)) return order;
  if (std::signbit(left) != std::signbit(right)) return std::signbit(left) ? -1 : 1;
  return order_of(std::bit_cast<std::uint64_t>(left), std::bit_cast<std::uint64_t>(right));
}
int order_of(const Row& left, const Row& right) {
  for (const int order : {order_of(left.id, right.id), order_of(left.name, right.name), order_of(left.real, right.real),
                          order_of(left.wanted, right.wanted), order_of(left.time, right.time),
                          order_of(left.payload, right.payload), order_of(left.number, right.number)})
    if (order != 0) return order;
  return 0;
}

std::string key_of(const Row& row) {
  return (row.id ? std::to_string(*row.id) : std::string("null")) + "|" +
         (row.name ? "'" + row.name->value + "'" : std::string("null"));
}

bool is_wanted(const Row& row) { return row.wanted && row.time.has_value(); }

// ---- models ---------------------------------------------------------------------------------------------------------

/// What all models have: late rows and the counts.
struct model {
  std::vector<std::string> rows;
  std::vector<std::int64_t> late_numbers;
  std::int64_t filtered = 0;

  void begin() {
    rows.clear(), late_numbers.clear();
    filtered = 0;
  }
};

struct top_model : model {
  std::size_t limit;
  std::int64_t length, slide;
  bool grouped, by_real, ascending;
  std::map<std::tuple<std::int64_t, std::int64_t, std::string>, std::vector<Row>> windows{};

  bool in_order = false;  // rows of several keys come in no order that is promised

  void add(const Row& row, std::int64_t late_watermark) {
    if (!is_wanted(row)) return void(++filtered);
    const std::int64_t time = row.time->microseconds;
    bool taken = false;
    const std::int64_t last = time - ((time % slide) + slide) % slide;
    for (std::int64_t start = last; start + length > time; start -= slide) {
      if (start + length <= late_watermark) continue;
      windows[{start + length, start, grouped ? key_of(row) : ""}].push_back(row);
      taken = true;
    }
    if (!taken) late_numbers.push_back(row.number);
  }
  bool comes_before(const Row& left, const Row& right) const {
    int order = by_real ? order_as_numbers(left.real, right.real) : order_of(left.payload, right.payload);
    if (!ascending && (by_real || (left.payload && right.payload))) order = -order;
    return order != 0 ? order < 0 : order_of(left, right) < 0;
  }
  void finish(std::int64_t watermark) {
    while (!windows.empty() && std::get<0>(windows.begin()->first) <= watermark) {
      auto& [place, found] = *windows.begin();
      std::sort(found.begin(), found.end(), [&](const Row& l, const Row& r) { return comes_before(l, r); });
      for (std::size_t i = 0; i < std::min(limit, found.size()); ++i)
        rows.push_back(as_text(
            Ranked{found[i].number, static_cast<std::int64_t>(i + 1), {std::get<1>(place)}, {std::get<0>(place)}}));
      windows.erase(windows.begin());
    }
  }
  std::int64_t size() const {
    std::size_t kept = 0;
    for (const auto& [place, found] : windows) kept += std::min(limit, found.size());
    return static_cast<std::int64_t>(kept);
  }
};

struct latest_model : model {
  bool forgets;
  std::map<std::string, Row> newest{};
  std::map<std::string, Row> changed{};
  bool in_order = true;

  static bool is_newer(const Row& left, const Row& right) {
    const int order = order_of(*left.time, *right.time);
    return order != 0 ? order > 0 : order_of(left, right) > 0;
  }
  void add(const Row& row, std::int64_t late_watermark) {
    if (!is_wanted(row)) return void(++filtered);
    if (forgets && row.time->microseconds <= late_watermark) return late_numbers.push_back(row.number);
    const auto found = newest.find(key_of(row));
    if (found != newest.end() && !is_newer(row, found->second)) return;
    newest[key_of(row)] = row;
    changed[key_of(row)] = row;
  }
  void finish(std::int64_t watermark) {
    std::vector<Row> sorted;
    for (const auto& each : changed) sorted.push_back(each.second);
    changed.clear();
    std::sort(sorted.begin(), sorted.end(), [](const Row& l, const Row& r) { return is_newer(r, l); });
    for (const Row& each : sorted) rows.push_back(as_text(each));
    if (forgets) std::erase_if(newest, [&](const auto& of) { return of.second.time->microseconds <= watermark; });
  }
  std::int64_t size() const { return static_cast<std::int64_t>(newest.size()); }
};

/// Keeps all rows for ever, and looks for the one before among them.
struct lag_model : model {
  std::size_t distance;
  std::int64_t forgotten_after;
  std::vector<Row> waiting{};
  std::map<std::string, std::vector<Row>> past{};
  bool in_order = true;

  void add(const Row& row, std::int64_t late_watermark) {
    if (!is_wanted(row)) return void(++filtered);
    if (row.time->microseconds <= late_watermark) return late_numbers.push_back(row.number);
    waiting.push_back(row);
  }
  void finish(std::int64_t watermark) {
    std::sort(waiting.begin(), waiting.end(), [](const Row& l, const Row& r) { return latest_model::is_newer(r, l); });
    std::size_t done = 0;
    for (; done < waiting.size() && waiting[done].time->microseconds <= watermark; ++done) {
      const Row& row = waiting[done];
      std::vector<Row>& before = past[key_of(row)];
      if (!before.empty() && row.time->microseconds - before.back().time->microseconds >= forgotten_after)
        before.clear();
      Lagged made{row.number, std::nullopt};
      if (before.size() >= distance) made.before = before[before.size() - distance].payload;
      rows.push_back(as_text(made));
      before.push_back(row);
    }
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(done));
    watermark_ = watermark;
  }
  std::int64_t size() const {
    std::size_t kept = waiting.size();
    for (const auto& [key, of] : past)
      if (forgotten_after == never || of.back().time->microseconds + forgotten_after > watermark_)
        kept += std::min(distance, of.size());
    return static_cast<std::int64_t>(kept);
  }
  std::int64_t watermark_ = 0;
};

// ---- runs -----------------------------------------------------------------------------------------------------------

struct run_settings {
  std::int64_t keys = 5;
  std::int64_t step = 20'000;
  std::size_t batches = 30;
  std::int64_t rows_per_batch = 400;
};

template <class Out>
void process(stage& work, const std::vector<Row>& rows, collected<Out>& out, row_maker& maker, std::int64_t most) {
  for (std::size_t begin = 0; begin < rows.size();) {
    const std::size_t end = std::min(rows.size(), begin + static_cast<std::size_t>(1 + maker.below(most)));
    REQUIRE(work.process(0, as_block(rows, begin, end), out).ok());
    begin = end;
  }
  REQUIRE(work.finish(out).ok());
}

template <class Chain>
void restart(std::unique_ptr<stage>& work, const Chain& chain) {
  state_writer saved;
  work->save(saved);
  work = make_stage(chain);
  state_reader reader(saved.bytes());
  REQUIRE(work->restore(reader).ok());
  REQUIRE(reader.at_end());
}

template <class Out, class Chain, class Model>
void compare(const Chain& chain, Model expected, const run_settings& how, unsigned seed) {
  row_maker maker(seed, how.keys, how.step);
  auto work = make_stage(chain), other = make_stage(chain);
  std::int64_t watermark = 0, late_watermark = 0;
  for (std::size_t number = 0; number < how.batches; ++number) {
    INFO("batch " << number << ", seed " << seed);
    std::vector<Row> rows = maker.make(static_cast<std::size_t>(maker.below(how.rows_per_batch)));
    batch_context batch;
    batch.watermark.microseconds = watermark;
    batch.late_watermark.microseconds = late_watermark;
    work->begin(batch);
    other->begin(batch);
    expected.begin();
    collected<Out> out, shuffled;
    process(*work, rows, out, maker, how.rows_per_batch);
    std::optional<std::int64_t> greatest;
    for (const Row& row : rows) {
      expected.add(row, late_watermark);
      if (is_wanted(row)) greatest = std::max(greatest.value_or(row.time->microseconds), row.time->microseconds);
    }
    expected.finish(watermark);
    const std::size_t count = rows.size();
    maker.shuffle(rows);
    process(*other, rows, shuffled, maker, how.rows_per_batch);
    REQUIRE(out.rows == shuffled.rows);

    std::vector<std::string> found = out.rows;
    if (!expected.in_order) {
      std::sort(found.begin(), found.end());
      std::sort(expected.rows.begin(), expected.rows.end());
    }
    REQUIRE(found == expected.rows);
    REQUIRE(out.late_numbers == expected.late_numbers);
    const stage_counts counts = work->counts();
    REQUIRE(counts.received == static_cast<std::int64_t>(count));
    REQUIRE(counts.filtered == expected.filtered);
    REQUIRE(counts.late == static_cast<std::int64_t>(expected.late_numbers.size()));
    REQUIRE(counts.emitted == static_cast<std::int64_t>(out.rows.size()));
    REQUIRE(accounted_for(counts) == counts.received);
    REQUIRE(work->state().groups == expected.size());
    const auto seen = greatest_event_time(*work);
    REQUIRE(seen.has_value() == greatest.has_value());
    if (seen) REQUIRE(seen->microseconds == *greatest);

    late_watermark = watermark;
    if (greatest) watermark = std::max(watermark, (*greatest - delay) / 1000 * 1000);
    if (maker.below(3) == 0) restart(work, chain);
    if (maker.below(3) == 0) restart(other, chain);
  }
}

constexpr auto grouped = timed_rows | group_by<"id", "name">;

void compare_all(const run_settings& how, unsigned seed) {
  compare<Ranked>(grouped | tumbling<"time">(1s) | top<3, "real"> | select<Ranked>(),
                  top_model{{}, 3, 1'000'000, 1'000'000, true, true, false}, how, seed);
  compare<Ranked>(grouped | sliding<"time">(1s, 250ms) | top<2, "payload">.ascending() | select<Ranked>(),
                  top_model{{}, 2, 1'000'000, 250'000, true, false, true}, how, seed + 1);
  compare<Ranked>(timed_rows | sliding<"time">(3s, 2s) | top<5, "payload"> | select<Ranked>(),
                  top_model{{}, 5, 3'000'000, 2'000'000, false, false, false}, how, seed + 2);
  compare<Row>(timed_rows | latest_by<"id", "name">, latest_model{{}, true}, how, seed + 3);
  compare<Row>(timed_rows | latest_by<"name", "id">.keeping_every_key(), latest_model{{}, false}, how, seed + 4);
  compare<Lagged>(grouped | lag<"payload">.as<"before">().forget_after(2s) | select<Lagged>(),
                  lag_model{{}, 1, 2'000'000}, how, seed + 5);
  compare<Lagged>(
      grouped | lag<"payload", 3>.keeping_every_key() | select<Lagged>(named<"before"> = field<"lag_payload">),
      lag_model{{}, 3, never}, how, seed + 6);
}

}  // namespace

TEST_CASE("top, latest_by and lag agree with lists of rows, over many seeds, with restarts now and then") {
  for (unsigned seed = 1; seed <= test::rounds(40); ++seed) compare_all({}, seed * 10);
}
TEST_CASE("top, latest_by and lag agree with lists of rows when there are many keys") {
  for (unsigned seed = 1; seed <= test::rounds(2); ++seed) compare_all({20'000, 300, 8, 12'000}, seed * 1000);
}
TEST_CASE("top, latest_by and lag agree with lists of rows when every batch closes most of what is open") {
  for (unsigned seed = 1; seed <= test::rounds(10); ++seed) compare_all({1'000, 400'000, 25, 500}, seed * 77);
}

TEST_CASE("what top, latest_by and lag keep stays level over a thousand delays of input") {
  const auto run = [](const auto& chain) {
    auto work = make_stage(chain);
    std::int64_t watermark = 0;
    state_metrics most_early, most_late;
    std::size_t saved_early = 0, saved_late = 0;
    for (std::int64_t number = 0; number < 2'000; ++number) {  // a second of events in each batch
      batch_context batch;
      batch.watermark.microseconds = batch.late_watermark.microseconds = watermark;
      work->begin(batch);
      block rows(schema_of<Row>());
      for (std::int64_t i = 0; i < 200; ++i) {
        const std::int64_t id = number * 150 + i;  // a quarter comes again
        append_row(rows, Row{static_cast<std::int32_t>(id), text("a name that is long enough"), 1.0, true,
                             timestamp{(number * 200 + i) * 5'000}, text("and a payload of some length"), id});
      }
      struct ignored final : stage_outputs {
        result<void> emit(std::size_t, const block&) override { return {}; }
      } nowhere;
      REQUIRE(work->process(0, rows, nowhere).ok());
      REQUIRE(work->finish(nowhere).ok());
      watermark = std::max(watermark, greatest_event_time(*work)->microseconds - delay);
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
  };
  run(grouped | tumbling<"time">(2s) | top<3, "real"> | select<Ranked>());
  run(timed_rows | latest_by<"id", "name">);
  run(grouped | lag<"payload", 2>.as<"before">().forget_after(3s) | select<Lagged>());
}
