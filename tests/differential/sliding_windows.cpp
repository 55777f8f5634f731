#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Sliding windows against a reference that puts every row into every window around it, one by one: lengths that are and
// are not multiples of the slide, many and few panes, late rows, all output modes, restarts between batches.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Row {
  std::int64_t number;
  std::int64_t id;
  text name;
  std::optional<std::int32_t> maybe;
  decimal<18, 0> amount;
  double real;
  timestamp time;
};

/// All its states can be merged in any groups.
struct Exact {
  std::int64_t id;
  timestamp window_start, window_end;
  std::int64_t rows;
  decimal<28, 0> sum;
  decimal<18, 0> least;
  timestamp latest;
  decimal<22, 4> mean;
  std::optional<std::int64_t> maybe_sum;
  std::int64_t maybes;
  friend auto operator<=>(const Exact&, const Exact&) = default;
};

/// Keys and states that are not plain bytes, and a sum of floating point.
struct Mixed {
  text name;
  timestamp window_start, window_end;
  double sum;
  text greatest;
  friend auto operator<=>(const Mixed&, const Mixed&) = default;
};

struct grid {
  duration length, slide, offset;
};

template <output_mode Mode>
auto exact(const grid& of) {
  return from<Row>("in") | watermark<"time">(1s) | group_by<"id"> | sliding<"time">(of.length, of.slide, of.offset) |
         aggregate<Exact>(named<"rows"> = count(), named<"sum"> = sum(field<"amount">),
                          named<"least"> = min(field<"amount">), named<"latest"> = max(field<"time">),
                          named<"mean"> = avg(field<"amount">), named<"maybe_sum"> = sum(field<"maybe">),
                          named<"maybes"> = count(field<"maybe">)) |
         into<Mode>("out");
}
template <output_mode Mode>
auto mixed(const grid& of) {
  return from<Row>("in") | watermark<"time">(1s) | group_by<"name"> | sliding<"time">(of.length, of.slide, of.offset) |
         aggregate<Mixed>(named<"sum"> = sum(field<"real">), named<"greatest"> = max(field<"name">)) |
         into<Mode>("out");
}

template <class Pipeline>
std::unique_ptr<stage> make_stage(const Pipeline& pipeline, output_mode mode) {
  return lower_stage(etlantic::detail::as_port_stream(pipeline.chain),
                     stage_place{mode, "step", &schema_of<late<Row>>(), 1});
}

template <class Result>
struct collected final : stage_outputs {
  std::vector<Result> results;
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> late_rows;  // number, start, end

  result<void> emit(std::size_t port, const block& rows) override {
    for (std::size_t i = 0; i < rows.rows; ++i)
      if (port == 0)
        results.push_back(row_at<Result>(rows, i));
      else
        late_rows.emplace_back(rows.columns[0].children[0].value<std::int64_t>(i),
                               rows.columns[2].value<std::int64_t>(i), rows.columns[3].value<std::int64_t>(i));
    return {};
  }
};

constexpr std::int64_t least_time = std::numeric_limits<std::int64_t>::min(),
                       greatest_time = std::numeric_limits<std::int64_t>::max();

// ---- reference ------------------------------------------------------------------------------------------------------

struct expected_group {
  std::vector<Row> rows;
  bool changed = false;
};

/// The starts of the windows around a time, found by trying.
std::vector<int128> starts_around(std::int64_t time, const grid& of) {
  const int128 slide = of.slide.count(), offset = of.offset.count();
  int128 start = (int128{time} - offset) / slide * slide + offset + 2 * slide;
  while (start > time) start -= slide;
  std::vector<int128> starts;
  for (; start + of.length.count() > time; start -= slide) starts.push_back(start);
  return starts;
}
std::int64_t clamped(int128 time) {
  return static_cast<std::int64_t>(std::clamp(time, int128{least_time}, int128{greatest_time}));
}

int128 rounded_mean(int128 sum, std::int64_t rows) {
  const int128 scaled = sum * 10'000, whole = scaled / rows, rest = scaled % rows;
  return rest * 2 >= rows ? whole + 1 : rest * 2 <= -int128{rows} ? whole - 1 : whole;
}

Exact result_of(const Exact*, const std::string&, int128 start, int128 end, const std::vector<Row>& rows,
                std::int64_t) {
  Exact made{rows[0].id, {clamped(start)}, {clamped(end)}, 0, {}, rows[0].amount, rows[0].time, {}, std::nullopt, 0};
  int128 sum = 0;
  for (const Row& row : rows) {
    ++made.rows;
    sum += row.amount.scaled;
    made.least = std::min(made.least, row.amount);
    made.latest = std::max(made.latest, row.time);
    if (row.maybe) made.maybe_sum = made.maybe_sum.value_or(0) + *row.maybe, ++made.maybes;
  }
  made.sum.scaled = sum;
  made.mean.scaled = rounded_mean(sum, made.rows);
  return made;
}
/// A sum of floating point is that of the panes' sums, added in the order of time.
Mixed result_of(const Mixed*, const std::string& name, int128 start, int128 end, const std::vector<Row>& rows,
                std::int64_t pane_length) {
  std::map<int128, double> panes;  // by the distance from the window's start
  for (const Row& row : rows) panes[(row.time.microseconds - start) / pane_length] += row.real;
  Mixed made{text(name), {clamped(start)}, {clamped(end)}, 0, text(name)};
  double sum = 0;
  for (const auto& [at, pane] : panes) sum += pane;
  made.sum = sum;
  return made;
}
std::string key_of(const Exact*, const Row& row) { return std::to_string(row.id); }
std::string key_of(const Mixed*, const Row& row) { return row.name.value; }

template <class Result>
class reference {
 public:
  reference(const grid& of, output_mode mode) : grid_(of), mode_(mode) {}

  void add(const Row& row, std::int64_t late_watermark) {
    bool late = true;
    const std::vector<int128> starts = starts_around(row.time.microseconds, grid_);
    for (const int128 start : starts) {
      if (mode_ != output_mode::complete && clamped(start + grid_.length.count()) <= late_watermark) continue;
      expected_group& group = groups_[{start, key_of(of_, row)}];
      group.rows.push_back(row);
      group.changed = true;
      late = false;
    }
    if (late) late_rows.emplace_back(row.number, clamped(starts[0]), clamped(starts[0] + grid_.length.count()));
  }

  std::vector<Result> finish(std::int64_t watermark) {
    const std::int64_t pane_length = std::gcd(grid_.length.count(), grid_.slide.count());
    std::vector<Result> results;
    for (auto each = groups_.begin(); each != groups_.end();) {
      auto& [key, group] = *each;
      const int128 end = key.first + grid_.length.count();
      const bool closed = clamped(end) <= watermark;
      if (mode_ == output_mode::complete || (mode_ == output_mode::append ? closed : group.changed))
        results.push_back(result_of(of_, key.second, key.first, end, group.rows, pane_length));
      group.changed = false;
      each = closed && mode_ != output_mode::complete ? groups_.erase(each) : std::next(each);
    }
    std::sort(results.begin(), results.end());
    return results;
  }

  std::int64_t open_windows() const {
    std::set<int128> starts;
    for (const auto& [key, group] : groups_) starts.insert(key.first);
    return static_cast<std::int64_t>(starts.size());
  }

  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> late_rows;

 private:
  static constexpr const Result* of_ = nullptr;
  grid grid_;
  output_mode mode_;
  std::map<std::pair<int128, std::string>, expected_group> groups_;
};

// ---- rows -----------------------------------------------------------------------------------------------------------

enum class times { in_order, jittered, negative, sparse, extreme };

class row_maker {
 public:
  row_maker(unsigned seed, times when, std::int64_t keys) : random_(seed), when_(when), keys_(keys) {}

  std::vector<Row> make(std::size_t count) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < count; ++i, ++number_) {
      const std::int64_t id = below(keys_) - keys_ / 2;
      std::optional<std::int32_t> maybe;
      if (below(3) != 0) maybe = static_cast<std::int32_t>(below(1000)) - 500;
      rows.push_back({number_,
                      id,
                      text("a name that is longer than some " + std::to_string(id)),
                      maybe,
                      decimal<18, 0>::from_scaled(amount()),
                      static_cast<double>(below(1'000'000)) / 7,
                      {next_time()}});
    }
    return rows;
  }

 private:
  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_); }

  std::int64_t amount() {  // so great that sums leave 64 bits
    constexpr std::int64_t most = 999'999'999'999'999'999;
    return below(3) == 0 ? most - below(10) : below(2) == 0 ? 10 - most : below(1000);
  }
  std::int64_t next_time() {
    constexpr std::int64_t second = 1'000'000, step = 13'337;
    const std::int64_t now = number_ * step;
    switch (when_) {
      case times::in_order: return now;
      case times::jittered: return now - (below(20) == 0 ? below(15 * second) : below(second));
      case times::negative: return now - 30 * second - below(second);
      case times::sparse: return (now / second) * 37 * second + below(3 * second);
      case times::extreme: {
        const std::int64_t near = below(30 * second);
        return below(2) == 0 ? greatest_time - near * (below(9) != 0) : least_time + near * (below(9) != 0);
      }
    }
    return 0;
  }

  std::mt19937_64 random_;
  times when_;
  std::int64_t keys_;
  std::int64_t number_ = 0;
};

block as_block(const std::vector<Row>& rows) {
  block made(schema_of<Row>());
  for (const Row& row : rows) append_row(made, row);
  return made;
}

// ---- runs -----------------------------------------------------------------------------------------------------------

struct run_settings {
  times when = times::jittered;
  std::int64_t keys = 5;
  std::size_t batches = 40;
  std::size_t rows_per_batch = 150;
  bool restarts = false;
};

template <class Result, class Pipeline>
void compare(const Pipeline& pipeline, const grid& of, output_mode mode, const run_settings& how, unsigned seed) {
  row_maker maker(seed, how.when, how.keys);
  reference<Result> expected(of, mode);
  auto work = make_stage(pipeline, mode);
  const bool before_1970 = how.when == times::negative || how.when == times::extreme;
  std::int64_t watermark = before_1970 ? least_time : 0, late_watermark = watermark, greatest = least_time;
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> late_rows;
  for (std::size_t number = 0; number <= how.batches; ++number) {
    const bool last = number == how.batches;
    const std::vector<Row> rows = maker.make(last || number % 7 == 6 ? 0 : how.rows_per_batch);
    if (last) watermark = greatest_time;
    batch_context batch;
    batch.watermark.microseconds = watermark;
    batch.late_watermark.microseconds = late_watermark;
    work->begin(batch);
    collected<Result> out;
    REQUIRE(work->process(0, as_block(rows), out).ok());
    REQUIRE(work->finish(out).ok());
    for (const Row& row : rows) {
      expected.add(row, late_watermark);
      greatest = std::max(greatest, row.time.microseconds);
    }
    std::vector<std::int64_t> starts;
    for (const Result& each : out.results) starts.push_back(each.window_start.microseconds);
    REQUIRE(std::is_sorted(starts.begin(), starts.end()));
    std::sort(out.results.begin(), out.results.end());
    INFO("batch " << number << ", seed " << seed);
    const std::vector<Result> wanted = expected.finish(watermark);
    REQUIRE(out.results.size() == wanted.size());
    REQUIRE(out.results == wanted);
    late_rows.insert(late_rows.end(), out.late_rows.begin(), out.late_rows.end());
    REQUIRE(accounted_for(work->counts()) == work->counts().received);
    REQUIRE(work->counts().late == static_cast<std::int64_t>(out.late_rows.size()));
    REQUIRE(work->state().windows == expected.open_windows());
    late_watermark = watermark;
    if (how.when != times::extreme && greatest != least_time) watermark = std::max(watermark, greatest - 2'000'000);
    if (how.restarts) {
      state_writer saved;
      work->save(saved);
      work = make_stage(pipeline, mode);
      state_reader reader(saved.bytes());
      REQUIRE(work->restore(reader).ok());
      REQUIRE(reader.at_end());
    }
  }
  CHECK(late_rows == expected.late_rows);
  if (mode != output_mode::complete) CHECK(work->state().groups == 0);
}

const grid all_grids[] = {{10s, 5s, 0s}, {10s, 3s, 1s}, {20s, 1s, -500ms},
                          {7s, 7s, 2s},  {9s, 6s, -5s}, {8s, 500ms, 0s}};
constexpr times all_times[] = {times::in_order, times::jittered, times::negative, times::sparse, times::extreme};

template <output_mode Mode>
void compare_all(bool restarts) {
  unsigned seed = 1;
  for (const grid& of : all_grids)
    for (const times when : all_times) {
      INFO("length " << of.length.count() << ", slide " << of.slide.count() << ", times " << static_cast<int>(when));
      const run_settings how{when, 5, Mode == output_mode::complete ? std::size_t{8} : std::size_t{30}, 150, restarts};
      compare<Exact>(exact<Mode>(of), of, Mode, how, seed);
      compare<Mixed>(mixed<Mode>(of), of, Mode, how, seed++);
    }
}

}  // namespace

TEST_CASE("sliding windows in append mode agree with rows put into every window") {
  compare_all<output_mode::append>(false);
}
TEST_CASE("sliding windows in append mode agree with rows put into every window, with a restart before every batch") {
  compare_all<output_mode::append>(true);
}
TEST_CASE("sliding windows in update mode give out what a batch changed, also after restarts") {
  compare_all<output_mode::update>(false);
  compare_all<output_mode::update>(true);
}
TEST_CASE("sliding windows in complete mode give out all of them and forget none") {
  compare_all<output_mode::complete>(false);
  compare_all<output_mode::complete>(true);
}
TEST_CASE("sliding windows with many keys, of which most are not in every pane") {
  const grid of{20s, 1s, 0s};
  const run_settings how{times::jittered, 3'000, 12, 2'000, false};
  compare<Exact>(exact<output_mode::append>(of), of, output_mode::append, how, 91);
  compare<Mixed>(mixed<output_mode::append>(of), of, output_mode::append, how, 92);
}
TEST_CASE("a sliding window whose slide is its length is a tumbling window") {
  const grid of{10s, 10s, 3s};
  const auto tumbling_stage = [] {
    return from<Row>("in") | watermark<"time">(1s) | group_by<"id"> | tumbling<"time">(10s, 3s) |
           aggregate<Exact>(named<"rows"> = count(), named<"sum"> = sum(field<"amount">),
                            named<"least"> = min(field<"amount">), named<"latest"> = max(field<"time">),
                            named<"mean"> = avg(field<"amount">), named<"maybe_sum"> = sum(field<"maybe">),
                            named<"maybes"> = count(field<"maybe">)) |
           into<output_mode::append>("out");
  };
  compare<Exact>(exact<output_mode::append>(of), of, output_mode::append, {}, 7);
  compare<Exact>(tumbling_stage(), of, output_mode::append, {}, 7);
}
