#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

// The keyed, windowed aggregation against a reference of a std::map and 128-bit numbers: times of all kinds, keys of
// all kinds, values that leave 64 bits, late rows, blocks of odd lengths.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

enum class color { red, green, blue };

struct Row {
  std::int64_t number;
  std::int64_t id;
  text name;
  color hue;
  bool flag;
  std::optional<std::int32_t> maybe;
  decimal<18, 0> amount;
  float real;
  timestamp time;
};

struct Totals {
  std::int64_t id;
  timestamp window_start, window_end;
  std::int64_t rows;
  decimal<28, 0> sum;
  timestamp latest;
  decimal<18, 0> least;
  decimal<22, 4> mean;
  double real_sum;
  std::optional<std::int64_t> maybe_sum;
};

struct ByMany {
  text name;
  color hue;
  bool flag;
  std::optional<std::int32_t> maybe;
  timestamp window_start;
  decimal<28, 0> sum;
  float greatest;
};

constexpr std::int64_t window_length = 10'000'000, offset = 3'000'000;

template <class Stream>
auto windowed(Stream rows) {
  return rows | watermark<"time">(1s) | etlantic::where(field<"hue"> != color::blue);
}

auto totals() {
  return windowed(from<Row>("in")) | group_by<"id"> | tumbling<"time">(10s, 3s) |
         aggregate<Totals>(named<"rows"> = count(), named<"sum"> = sum(field<"amount">),
                           named<"latest"> = max(field<"time">), named<"least"> = min(field<"amount">),
                           named<"mean"> = avg(field<"amount">), named<"real_sum"> = sum(field<"real">),
                           named<"maybe_sum"> = sum(field<"maybe">)) |
         into<output_mode::append>("out");
}
auto by_many() {
  return windowed(from<Row>("in")) | group_by<"name", "hue", "flag", "maybe"> | tumbling<"time">(10s, 3s) |
         aggregate<ByMany>(named<"sum"> = sum(field<"amount">), named<"greatest"> = max(field<"real">)) |
         into<output_mode::append>("out");
}

template <class Pipeline>
std::unique_ptr<stage> make_stage(const Pipeline& pipeline, output_mode mode) {
  return lower_stage(etlantic::detail::as_port_stream(pipeline.chain),
                     stage_place{mode, "step", &schema_of<late<Row>>(), 1});
}

template <class Result>
struct collected final : stage_outputs {
  std::vector<Result> results;
  std::vector<std::int64_t> late_numbers, late_starts;

  result<void> emit(std::size_t port, const block& rows) override {
    for (std::size_t i = 0; i < rows.rows; ++i)
      if (port == 0)
        results.push_back(row_at<Result>(rows, i));
      else {
        late_numbers.push_back(rows.columns[0].children[0].value<std::int64_t>(i));
        late_starts.push_back(rows.columns[2].value<std::int64_t>(i));
      }
    return {};
  }
};

// ---- rows -----------------------------------------------------------------------------------------------------------

enum class times { ascending, one_window, few_windows, many_windows, negative, extreme };
enum class keys { few, many, skewed };

class row_maker {
 public:
  row_maker(unsigned seed, times when, keys which) : random_(seed), when_(when), which_(which) {}

  std::vector<Row> make(std::size_t count) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t id = next_id();
      rows.push_back({number_,
                      id,
                      text("name" + std::string(static_cast<std::size_t>(id & 31), 'x') + std::to_string(id % 50)),
                      static_cast<color>(below(3)),
                      below(2) == 0,
                      maybe(),
                      decimal<18, 0>::from_scaled(amount()),
                      static_cast<float>(below(1000)) / 7,
                      {next_time()}});
      ++number_;
    }
    return rows;
  }

 private:
  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_); }

  std::int64_t next_id() {
    switch (which_) {
      case keys::few: return below(5) - 2;
      case keys::many: return (below(3000) - 1500) << 33;
      case keys::skewed: return below(10) != 0 ? 7 : below(500);
    }
    return 0;
  }
  std::optional<std::int32_t> maybe() {
    if (below(3) == 0) return std::nullopt;
    return static_cast<std::int32_t>(below(3)) - 1;
  }
  std::int64_t amount() {
    constexpr std::int64_t most = 999'999'999'999'999'999;
    switch (below(4)) {
      case 0: return most;
      case 1: return -most;
      case 2: return below(1000);
      default: return below(2 * most) - most;
    }
  }
  std::int64_t next_time() {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                           least = std::numeric_limits<std::int64_t>::min();
    switch (when_) {
      case times::ascending: return number_ * 30'000;
      case times::one_window: return offset + below(window_length);
      case times::few_windows: return below(6 * window_length);
      case times::many_windows: return below(20'000) * window_length;
      case times::negative: return -below(3 * window_length);
      case times::extreme: {
        const std::int64_t near = below(3 * window_length);
        return below(3) == 0 ? most - near * (below(4) != 0) : below(2) == 0 ? least + near * (below(4) != 0) : near;
      }
    }
    return 0;
  }

  std::mt19937_64 random_;
  times when_;
  keys which_;
  std::int64_t number_ = 0;
};

block as_block(const std::vector<Row>& rows, std::size_t begin, std::size_t end) {
  block made(schema_of<Row>());
  for (std::size_t i = begin; i < end; ++i) append_row(made, rows[i]);
  return made;
}

// ---- reference ------------------------------------------------------------------------------------------------------

struct window {
  std::int64_t start, end;
};
window window_of(std::int64_t time) {
  int128 start = int128{time} - offset;
  start = (start >= 0 ? start / window_length : (start - (window_length - 1)) / window_length) * window_length + offset;
  const int128 end = start + window_length;
  constexpr int128 least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  return {static_cast<std::int64_t>(std::max(start, least)), static_cast<std::int64_t>(std::min(end, most))};
}

struct expected_group {
  std::int64_t rows = 0;
  int128 sum = 0;
  std::int64_t latest = std::numeric_limits<std::int64_t>::min(), least = std::numeric_limits<std::int64_t>::max();
  double real_sum = 0;
  float greatest = 0;
  std::optional<std::int64_t> maybe_sum;

  void add(const Row& row) {
    ++rows;
    sum += row.amount.scaled;
    latest = std::max(latest, row.time.microseconds);
    least = std::min(least, row.amount.scaled);
    real_sum += static_cast<double>(row.real);
    greatest = std::max(greatest, row.real);
    if (row.maybe) maybe_sum = maybe_sum.value_or(0) + *row.maybe;
  }
};

using id_and_start = std::pair<std::int64_t, std::int64_t>;

int128 rounded_mean(int128 sum, std::int64_t rows) {
  const int128 scaled = sum * 10'000, whole = scaled / rows, rest = scaled % rows;
  return rest * 2 >= rows ? whole + 1 : rest * 2 <= -int128{rows} ? whole - 1 : whole;
}

void check_totals(const std::vector<Totals>& results, const std::map<id_and_start, expected_group>& expected) {
  REQUIRE(results.size() == expected.size());
  for (const Totals& got : results) {
    const auto found = expected.find({got.id, got.window_start.microseconds});
    REQUIRE(found != expected.end());
    const expected_group& group = found->second;
    REQUIRE(got.window_end.microseconds == window_of(group.latest).end);
    REQUIRE(got.rows == group.rows);
    REQUIRE((got.sum.scaled == group.sum));
    REQUIRE(got.latest.microseconds == group.latest);
    REQUIRE(got.least.scaled == group.least);
    REQUIRE((got.mean.scaled == rounded_mean(group.sum, group.rows)));
    REQUIRE(got.real_sum == group.real_sum);
    REQUIRE(got.maybe_sum == group.maybe_sum);
  }
}

// ---- runs -----------------------------------------------------------------------------------------------------------

constexpr std::int64_t all_closed = std::numeric_limits<std::int64_t>::max();

/// Runs the rows in batches of blocks; between batches with a restart. All windows close at the end.
template <class Result, class Pipeline>
collected<Result> run(const Pipeline& pipeline, const std::vector<Row>& rows, std::size_t rows_per_block,
                      std::size_t blocks_per_batch, std::int64_t late_watermark = 0) {
  collected<Result> out;
  auto work = make_stage(pipeline, output_mode::append);
  stage_counts total;
  for (std::size_t at = 0; at < rows.size();) {
    batch_context batch;
    batch.late_watermark.microseconds = late_watermark;
    batch.watermark.microseconds = std::numeric_limits<std::int64_t>::min();
    const std::size_t last = std::min(rows.size(), at + rows_per_block * blocks_per_batch);
    if (last == rows.size()) batch.watermark.microseconds = all_closed;
    work->begin(batch);
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
    bool any = false;
    for (; at < last; at += rows_per_block) {
      const std::size_t end = std::min(last, at + rows_per_block);
      REQUIRE(work->process(0, as_block(rows, at, end), out).ok());
      for (std::size_t i = at; i < end; ++i)
        if (rows[i].hue != color::blue) greatest = std::max(greatest, rows[i].time.microseconds), any = true;
    }
    std::vector<std::optional<timestamp>> seen;
    work->add_greatest_event_times(seen);
    REQUIRE(seen.size() == 1);
    REQUIRE(seen[0].has_value() == any);
    if (any) REQUIRE(seen[0]->microseconds == greatest);
    REQUIRE(work->finish(out).ok());
    total += work->counts();

    state_writer saved;
    work->save(saved);
    work = make_stage(pipeline, output_mode::append);
    state_reader reader(saved.bytes());
    REQUIRE(work->restore(reader).ok());
    REQUIRE(reader.at_end());
    at = last;
  }
  CHECK(total.received == static_cast<std::int64_t>(rows.size()));
  CHECK(total.received == total.filtered + total.late + total.kept);
  CHECK(total.late == static_cast<std::int64_t>(out.late_numbers.size()));
  CHECK(work->state().groups == 0);
  return out;
}

constexpr times all_times[] = {times::ascending,    times::one_window, times::few_windows,
                               times::many_windows, times::negative,   times::extreme};
constexpr keys all_keys[] = {keys::few, keys::many, keys::skewed};

}  // namespace

TEST_CASE("groups of one key agree with a map, for times and keys of all kinds and blocks of odd lengths") {
  unsigned seed = 1;
  for (const times when : all_times)
    for (const keys which : all_keys) {
      const std::vector<Row> rows = row_maker(seed++, when, which).make(5'000);
      std::map<id_and_start, expected_group> expected;
      std::vector<std::int64_t> late_numbers, late_starts;
      const std::int64_t late_watermark =
          when == times::extreme || when == times::negative ? -window_length : 2 * window_length + 1;
      for (const Row& row : rows) {
        if (row.hue == color::blue) continue;
        const window in = window_of(row.time.microseconds);
        if (in.end <= late_watermark) {
          late_numbers.push_back(row.number);
          late_starts.push_back(in.start);
        } else
          expected[{row.id, in.start}].add(row);
      }
      INFO("times " << static_cast<int>(when) << ", keys " << static_cast<int>(which));
      for (const auto& [rows_per_block, blocks] :
           {std::pair<std::size_t, std::size_t>{5'000, 1}, {1, 700}, {63, 9}, {1025, 2}, {1030, 5}}) {
        const collected<Totals> out = run<Totals>(totals(), rows, rows_per_block, blocks, late_watermark);
        check_totals(out.results, expected);
        CHECK(out.late_numbers == late_numbers);
        CHECK(out.late_starts == late_starts);
      }
    }
}

TEST_CASE("groups of text, enumeration, bool and null agree with a map") {
  for (const keys which : all_keys) {
    const std::vector<Row> rows = row_maker(77, times::few_windows, which).make(4'000);
    std::map<std::tuple<std::string, int, bool, std::optional<std::int32_t>, std::int64_t>, expected_group> expected;
    for (const Row& row : rows)
      if (row.hue != color::blue)
        expected[{row.name.value, static_cast<int>(row.hue), row.flag, row.maybe,
                  window_of(row.time.microseconds).start}]
            .add(row);
    for (const std::size_t rows_per_block : {std::size_t{4'000}, std::size_t{129}}) {
      const collected<ByMany> out = run<ByMany>(by_many(), rows, rows_per_block, 3);
      REQUIRE(out.results.size() == expected.size());
      for (const ByMany& got : out.results) {
        const auto found = expected.find(
            {got.name.value, static_cast<int>(got.hue), got.flag, got.maybe, got.window_start.microseconds});
        REQUIRE(found != expected.end());
        REQUIRE((got.sum.scaled == found->second.sum));
        REQUIRE(got.greatest == found->second.greatest);
      }
    }
  }
}

TEST_CASE("the order of results depends neither on how rows are cut into blocks and batches nor on restarts") {
  const std::vector<Row> rows = row_maker(5, times::few_windows, keys::many).make(6'000);
  const auto order = [&](std::size_t rows_per_block, std::size_t blocks) {
    std::vector<id_and_start> seen;
    for (const Totals& each : run<Totals>(totals(), rows, rows_per_block, blocks).results)
      seen.emplace_back(each.id, each.window_start.microseconds);
    return seen;
  };
  const auto at_once = order(6'000, 1);
  CHECK(order(100, 7) == at_once);
  CHECK(order(1, 1'000) == at_once);
}

TEST_CASE("all rows are late when every window is closed, also at the end of the range of times") {
  for (const times when : all_times) {
    const std::vector<Row> rows = row_maker(9, when, keys::few).make(3'000);
    const collected<Totals> out = run<Totals>(totals(), rows, 1'000, 2, all_closed);
    CHECK(out.results.empty());
    std::vector<std::int64_t> expected;
    for (const Row& row : rows)
      if (row.hue != color::blue) expected.push_back(row.number);
    CHECK(out.late_numbers == expected);
  }
}

TEST_CASE("in update mode a batch gives out the groups that it changed, also after a restart") {
  auto work = make_stage(totals(), output_mode::update);
  row_maker maker(11, times::few_windows, keys::many);
  std::map<id_and_start, expected_group> expected;
  for (int round = 0; round < 5; ++round) {
    const std::vector<Row> rows = maker.make(300);
    std::map<id_and_start, expected_group> changed;
    for (const Row& row : rows) {
      if (row.hue == color::blue) continue;
      const id_and_start key{row.id, window_of(row.time.microseconds).start};
      expected[key].add(row);
      changed[key] = {};
    }
    for (auto& [key, group] : changed) group = expected[key];
    batch_context batch;
    batch.watermark.microseconds = batch.late_watermark.microseconds = std::numeric_limits<std::int64_t>::min();
    work->begin(batch);
    collected<Totals> out;
    REQUIRE(work->process(0, as_block(rows, 0, rows.size()), out).ok());
    REQUIRE(work->finish(out).ok());
    check_totals(out.results, changed);
    if (round % 2 == 0) continue;
    state_writer saved;
    work->save(saved);
    work = make_stage(totals(), output_mode::update);
    state_reader reader(saved.bytes());
    REQUIRE(work->restore(reader).ok());
  }
}
