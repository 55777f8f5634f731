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

// Sessions against a reference that looks at all sessions of a key for every row: fixed gaps and gaps of rows, keys of
// all kinds, old rows that join sessions, late rows, times at the ends of their range, restarts between batches.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Row {
  std::int64_t number;
  std::int64_t id;
  std::optional<text> name;
  std::optional<std::int32_t> maybe;
  decimal<18, 0> amount;
  double real;
  std::optional<duration> wait;
  std::uint64_t seconds;
  std::optional<timestamp> time;
};

struct Exact {
  std::int64_t id;
  timestamp window_start, window_end;
  std::int64_t rows;
  decimal<28, 0> sum;
  decimal<18, 0> least;
  std::optional<timestamp> latest;
  decimal<22, 4> mean;
  std::optional<std::int64_t> maybe_sum;
  std::int64_t maybes;
  double real_sum;
  friend auto operator<=>(const Exact&, const Exact&) = default;
};

/// Keys that can be null, and states that are not plain bytes.
struct Mixed {
  std::optional<text> name;
  std::optional<std::int32_t> maybe;
  timestamp window_start, window_end;
  std::int64_t rows;
  double sum;
  std::optional<text> greatest;
  friend auto operator<=>(const Mixed&, const Mixed&) = default;
};

struct Alone {
  timestamp window_start, window_end;
  std::int64_t rows;
  double sum;
  friend auto operator<=>(const Alone&, const Alone&) = default;
};

constexpr std::int64_t one_second = 1'000'000;
constexpr std::int64_t least_time = std::numeric_limits<std::int64_t>::min(),
                       greatest_time = std::numeric_limits<std::int64_t>::max();

template <output_mode Mode>
auto exact() {
  return from<Row>("in") | watermark<"time">(2s) | etlantic::where(field<"id"> != 3) | group_by<"id"> |
         session<"time">(500ms) |
         aggregate<Exact>(named<"rows"> = count(), named<"sum"> = sum(field<"amount">),
                          named<"least"> = min(field<"amount">), named<"latest"> = max(field<"time">),
                          named<"mean"> = avg(field<"amount">), named<"maybe_sum"> = sum(field<"maybe">),
                          named<"maybes"> = count(field<"maybe">), named<"real_sum"> = sum(field<"real">)) |
         into<Mode>("out");
}
template <output_mode Mode>
auto mixed() {
  return from<Row>("in") | watermark<"time">(2s) | group_by<"name", "maybe"> | session<"time">(field<"wait">) |
         aggregate<Mixed>(named<"rows"> = count(), named<"sum"> = sum(field<"real">),
                          named<"greatest"> = max(field<"name">)) |
         into<Mode>("out");
}
template <output_mode Mode>
auto alone() {
  return from<Row>("in") | watermark<"time">(2s) | session<"time">(field<"seconds">) |
         aggregate<Alone>(named<"rows"> = count(), named<"sum"> = sum(field<"real">)) | into<Mode>("out");
}

template <class Pipeline>
std::unique_ptr<stage> make_stage(const Pipeline& pipeline, output_mode mode) {
  return lower_stage(etlantic::detail::as_port_stream(pipeline.chain),
                     stage_place{mode, "step", &schema_of<late<Row>>(), 1});
}

using late_row = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // number, start, end

template <class Result>
struct collected final : stage_outputs {
  std::vector<Result> results;
  std::vector<late_row> late_rows;

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

// ---- reference ------------------------------------------------------------------------------------------------------

int128 rounded_mean(int128 sum, std::int64_t rows) {
  const int128 scaled = sum * 10'000, whole = scaled / rows, rest = scaled % rows;
  return rest * 2 >= rows ? whole + 1 : rest * 2 <= -int128{rows} ? whole - 1 : whole;
}

struct piece {
  std::int64_t start, end;
  std::vector<Row> rows;
  double real_sum = 0;
};

bool passes(const Exact*, const Row& row) { return row.id != 3; }
bool passes(const Mixed*, const Row&) { return true; }
bool passes(const Alone*, const Row&) { return true; }

int128 gap_of(const Exact*, const Row&) { return 500'000; }
int128 gap_of(const Mixed*, const Row& row) { return row.wait ? row.wait->count() : 0; }
int128 gap_of(const Alone*, const Row& row) { return int128{row.seconds} * one_second; }

std::string key_of(const Exact*, const Row& row) { return std::to_string(row.id); }
std::string key_of(const Mixed*, const Row& row) {
  return (row.name ? "'" + row.name->value : "null") + "/" + (row.maybe ? std::to_string(*row.maybe) : "null");
}
std::string key_of(const Alone*, const Row&) { return ""; }

Exact result_of(const Exact*, const piece& of) {
  Exact made{of.rows[0].id, {of.start}, {of.end}, 0, {}, of.rows[0].amount, of.rows[0].time, {}, std::nullopt, 0, 0};
  int128 sum = 0;
  for (const Row& row : of.rows) {
    ++made.rows;
    sum += row.amount.scaled;
    made.least = std::min(made.least, row.amount);
    made.latest = std::max(made.latest, row.time);
    if (row.maybe) made.maybe_sum = made.maybe_sum.value_or(0) + *row.maybe, ++made.maybes;
  }
  made.sum.scaled = sum;
  made.mean.scaled = rounded_mean(sum, made.rows);
  made.real_sum = of.real_sum;
  return made;
}
Mixed result_of(const Mixed*, const piece& of) {
  const Row& row = of.rows[0];
  return {row.name, row.maybe, {of.start}, {of.end}, static_cast<std::int64_t>(of.rows.size()), of.real_sum, row.name};
}
Alone result_of(const Alone*, const piece& of) {
  return {{of.start}, {of.end}, static_cast<std::int64_t>(of.rows.size()), of.real_sum};
}

template <class Result>
class reference {
 public:
  explicit reference(output_mode mode) : mode_(mode) {}

  void add(const Row& row, std::int64_t late_watermark) {
    if (!passes(of_, row) || !row.time) return filtered += 1, void();
    greatest = std::max(greatest, row.time->microseconds);
    const int128 gap = gap_of(of_, row);
    if (gap <= 0) return filtered += 1, void();
    const std::int64_t start = row.time->microseconds;
    const auto end = static_cast<std::int64_t>(std::min(int128{start} + gap, int128{greatest_time}));
    if (mode_ != output_mode::complete && end <= late_watermark)
      return late_rows.emplace_back(row.number, start, end), void();

    std::vector<piece>& open = sessions_[key_of(of_, row)];
    std::vector<piece> touching, others;
    for (piece& each : open) (each.start <= end && start <= each.end ? touching : others).push_back(std::move(each));
    std::sort(touching.begin(), touching.end(), [](const piece& l, const piece& r) { return l.start < r.start; });
    piece whole{start, end, {}, 0};
    for (piece& each : touching) {
      whole.start = std::min(whole.start, each.start);
      whole.end = std::max(whole.end, each.end);
      if (whole.rows.empty())
        whole.rows = std::move(each.rows);
      else
        whole.rows.insert(whole.rows.end(), each.rows.begin(), each.rows.end());
      whole.real_sum += each.real_sum;
    }
    whole.rows.push_back(row);
    whole.real_sum += row.real;
    others.push_back(std::move(whole));
    open = std::move(others);
  }

  std::vector<Result> finish(std::int64_t watermark) {
    std::vector<Result> results;
    for (auto& [key, open] : sessions_) {
      for (const piece& each : open)
        if (mode_ == output_mode::complete || each.end <= watermark) results.push_back(result_of(of_, each));
      if (mode_ != output_mode::complete) std::erase_if(open, [&](const piece& each) { return each.end <= watermark; });
    }
    std::sort(results.begin(), results.end());
    return results;
  }

  std::int64_t open() const {
    std::size_t sum = 0;
    for (const auto& [key, open] : sessions_) sum += open.size();
    return static_cast<std::int64_t>(sum);
  }

  std::int64_t filtered = 0;
  std::int64_t greatest = least_time;
  std::vector<late_row> late_rows;

 private:
  static constexpr const Result* of_ = nullptr;
  output_mode mode_;
  std::map<std::string, std::vector<piece>> sessions_;
};

// ---- rows -----------------------------------------------------------------------------------------------------------

enum class times { in_order, jittered, wild, negative, sparse, extreme };

class row_maker {
 public:
  row_maker(unsigned seed, times when, std::int64_t keys) : random_(seed), when_(when), keys_(keys) {}

  std::vector<Row> make(std::size_t count) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < count; ++i, ++number_) {
      Row row{};
      row.number = number_;
      row.id = below(keys_) - keys_ / 2;
      if (below(5) != 0) row.name = text("a name that is longer than some " + std::to_string(below(keys_)));
      if (below(3) != 0) row.maybe = static_cast<std::int32_t>(below(3)) - 1;
      row.amount = decimal<18, 0>::from_scaled(amount());
      row.real = static_cast<double>(below(1'000'000)) / 7;
      if (below(8) != 0) row.wait = wait();
      row.seconds = below(9) == 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(below(2)) : 1;
      if (below(20) != 0) row.time = timestamp{next_time()};
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_); }

  std::int64_t amount() {  // so great that sums leave 64 bits
    constexpr std::int64_t most = 999'999'999'999'999'999;
    return below(3) == 0 ? most - below(10) : below(2) == 0 ? 10 - most : below(1000);
  }
  duration wait() {
    switch (below(10)) {
      case 0: return duration{-below(3)};
      case 1: return duration{below(5 * one_second)};
      case 2: return duration{when_ == times::extreme ? greatest_time - below(2) : 1};
      default: return duration{200'000 + below(3) * 100'000};
    }
  }
  std::int64_t next_time() {
    constexpr std::int64_t step = 13'000;  // on a grid, so that sessions touch end to start
    const std::int64_t now = number_ * step;
    switch (when_) {
      case times::in_order: return now;
      case times::jittered: return now - (below(20) == 0 ? below(4 * one_second) : below(40) * 100'000 / 4);
      case times::wild: return below(400) * 100'000 + now;
      case times::negative: return now - 30 * one_second - below(one_second);
      case times::sparse: return (now / one_second) * 37 * one_second + below(3 * one_second);
      case times::extreme: {
        const std::int64_t near = below(30 * one_second);
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

block as_block(const std::vector<Row>& rows, std::size_t begin, std::size_t end) {
  block made(schema_of<Row>());
  for (std::size_t i = begin; i < end; ++i) append_row(made, rows[i]);
  return made;
}

template <class Pipeline>
std::unique_ptr<stage> restarted(const std::unique_ptr<stage>& work, const Pipeline& pipeline, output_mode mode) {
  state_writer saved, saved_again;
  work->save(saved);
  auto made = make_stage(pipeline, mode);
  state_reader reader(saved.bytes());
  REQUIRE(made->restore(reader).ok());
  REQUIRE(reader.at_end());
  made->save(saved_again);
  REQUIRE(saved_again.bytes() == saved.bytes());
  return made;
}

// ---- runs -----------------------------------------------------------------------------------------------------------

struct run_settings {
  times when = times::jittered;
  std::int64_t keys = 5;
  std::size_t batches = 40;
  std::size_t rows_per_batch = 150;
  std::size_t rows_per_block = 67;
  bool restarts = false;
};

template <class Result, class Pipeline>
void compare(const Pipeline& pipeline, output_mode mode, const run_settings& how, unsigned seed) {
  row_maker maker(seed, how.when, how.keys);
  reference<Result> expected(mode);
  auto work = make_stage(pipeline, mode);
  const bool before_1970 = how.when == times::negative || how.when == times::extreme;
  std::int64_t watermark = before_1970 ? least_time : 0, late_watermark = watermark;
  std::vector<late_row> late_rows;
  std::int64_t filtered = 0;
  for (std::size_t number = 0; number <= how.batches; ++number) {
    INFO("batch " << number << ", seed " << seed << ", times " << static_cast<int>(how.when));
    const bool last = number == how.batches;
    const std::vector<Row> rows = maker.make(last || number % 7 == 6 ? 0 : how.rows_per_batch);
    if (last) watermark = greatest_time;
    batch_context batch;
    batch.watermark.microseconds = watermark;
    batch.late_watermark.microseconds = late_watermark;
    work->begin(batch);
    collected<Result> out;
    for (std::size_t at = 0; at < rows.size(); at += how.rows_per_block)
      REQUIRE(work->process(0, as_block(rows, at, std::min(rows.size(), at + how.rows_per_block)), out).ok());
    REQUIRE(work->finish(out).ok());
    expected.greatest = least_time;
    const std::int64_t filtered_before = expected.filtered;
    for (const Row& row : rows) expected.add(row, late_watermark);
    std::vector<std::int64_t> ends;
    for (const Result& each : out.results) ends.push_back(each.window_end.microseconds);
    REQUIRE(std::is_sorted(ends.begin(), ends.end()));
    std::sort(out.results.begin(), out.results.end());
    const std::vector<Result> wanted = expected.finish(watermark);
    REQUIRE(out.results.size() == wanted.size());
    REQUIRE(out.results == wanted);
    late_rows.insert(late_rows.end(), out.late_rows.begin(), out.late_rows.end());
    const stage_counts counts = work->counts();
    REQUIRE(counts.received == static_cast<std::int64_t>(rows.size()));
    REQUIRE(accounted_for(counts) == counts.received);
    REQUIRE(counts.late == static_cast<std::int64_t>(out.late_rows.size()));
    REQUIRE(counts.filtered == expected.filtered - filtered_before);
    REQUIRE(work->state().groups == expected.open());
    filtered += counts.filtered;

    std::vector<std::optional<timestamp>> greatest;
    work->add_greatest_event_times(greatest);
    REQUIRE(greatest.size() == 1);
    REQUIRE(greatest[0].has_value() == (expected.greatest != least_time));
    if (greatest[0]) REQUIRE(greatest[0]->microseconds == expected.greatest);
    late_watermark = watermark;
    if (how.when != times::extreme && greatest[0])
      watermark = std::max(watermark, greatest[0]->microseconds - 2 * one_second);
    if (how.restarts) work = restarted(work, pipeline, mode);
  }
  CHECK(late_rows == expected.late_rows);
  CHECK(filtered == expected.filtered);
  if (mode != output_mode::complete) CHECK(work->state().groups == 0);
}

constexpr times all_times[] = {times::in_order, times::jittered, times::wild,
                               times::negative, times::sparse,   times::extreme};

template <output_mode Mode>
void compare_all(bool restarts) {
  for (unsigned seed = 1; seed <= (restarts || Mode == output_mode::complete ? 3u : 9u); ++seed)
    for (const times when : all_times) {
      run_settings how{when, 5, Mode == output_mode::complete ? std::size_t{8} : std::size_t{30}, 150, 67, restarts};
      compare<Exact>(exact<Mode>(), Mode, how, seed);
      compare<Mixed>(mixed<Mode>(), Mode, how, seed);
      compare<Alone>(alone<Mode>(), Mode, how, seed);
    }
}

}  // namespace

TEST_CASE("sessions in append mode agree with a reference, batch by batch") { compare_all<output_mode::append>(false); }
TEST_CASE("sessions in append mode agree with a reference, with a restart before every batch") {
  compare_all<output_mode::append>(true);
}
TEST_CASE("sessions in complete mode give out all of them and forget none") {
  compare_all<output_mode::complete>(false);
  compare_all<output_mode::complete>(true);
}
TEST_CASE("sessions of many keys, in blocks of more rows than are taken at a time") {
  const run_settings how{times::jittered, 3'000, 12, 5'000, 2'500, false};
  compare<Exact>(exact<output_mode::append>(), output_mode::append, how, 91);
  compare<Mixed>(mixed<output_mode::append>(), output_mode::append, how, 92);
}

TEST_CASE("sessions and their order depend neither on how rows are cut into batches nor on restarts") {
  const std::vector<Row> rows = row_maker(5, times::wild, 40).make(4'000);
  const auto run = [&](std::size_t rows_per_batch) {
    auto work = make_stage(exact<output_mode::append>(), output_mode::append);
    collected<Exact> out;
    for (std::size_t at = 0; at < rows.size(); at += rows_per_batch) {
      const std::size_t end = std::min(rows.size(), at + rows_per_batch);
      batch_context batch;
      batch.late_watermark.microseconds = least_time;
      batch.watermark.microseconds = end == rows.size() ? greatest_time : least_time;
      work->begin(batch);
      REQUIRE(work->process(0, as_block(rows, at, end), out).ok());
      REQUIRE(work->finish(out).ok());
      work = restarted(work, exact<output_mode::append>(), output_mode::append);
    }
    return out.results;
  };
  const auto at_once = run(rows.size());
  CHECK(at_once.size() > 50);
  CHECK(run(333) == at_once);
  CHECK(run(1'001) == at_once);
}

TEST_CASE("the state of sessions stays level over a thousand gaps of input with keys that come and go") {
  auto work = make_stage(mixed<output_mode::append>(), output_mode::append);
  std::int64_t watermark = 0, groups = 0, bytes = 0;
  std::size_t saved_bytes = 0;
  std::int64_t emitted = 0;
  for (int round = 0; round < 1'000; ++round) {
    std::vector<Row> rows;
    for (int i = 0; i < 200; ++i) {
      Row row{};
      row.name = text("key " + std::to_string(round * 150 + i) + std::string(60, '.'));
      row.wait = 1s;
      row.time = timestamp{round * one_second + i * 5'000};
      rows.push_back(row);
    }
    batch_context batch;
    batch.late_watermark.microseconds = std::max<std::int64_t>(0, watermark - one_second);
    batch.watermark.microseconds = watermark;
    work->begin(batch);
    collected<Mixed> out;
    REQUIRE(work->process(0, as_block(rows, 0, rows.size()), out).ok());
    REQUIRE(work->finish(out).ok());
    emitted += static_cast<std::int64_t>(out.results.size());
    watermark = round * one_second;
    state_writer saved;
    work->save(saved);
    if (round < 100) {
      groups = std::max(groups, work->state().groups);
      bytes = std::max(bytes, work->state().bytes);
      saved_bytes = std::max(saved_bytes, saved.bytes().size());
    } else {
      REQUIRE(work->state().groups <= groups);
      REQUIRE(work->state().bytes <= bytes + bytes / 10);               // what is given back is given back now and then
      REQUIRE(saved.bytes().size() <= saved_bytes + saved_bytes / 20);  // numbers get longer
    }
  }
  CHECK(emitted > 100'000);
}

TEST_CASE("damaged state of sessions is a failure or other sessions, never more") {
  auto work = make_stage(mixed<output_mode::append>(), output_mode::append);
  batch_context batch;
  batch.watermark.microseconds = batch.late_watermark.microseconds = least_time;
  work->begin(batch);
  collected<Mixed> out;
  const std::vector<Row> rows = row_maker(3, times::wild, 4).make(60);
  REQUIRE(work->process(0, as_block(rows, 0, rows.size()), out).ok());
  REQUIRE(work->finish(out).ok());
  state_writer saved;
  work->save(saved);
  const std::string bytes(saved.bytes());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    auto made = make_stage(mixed<output_mode::append>(), output_mode::append);
    state_reader reader(std::string_view(bytes).substr(0, size));
    const result<void> done = made->restore(reader);
    REQUIRE(!done.ok());
    REQUIRE(done.error().code == "PMSTREAM483");
  }
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      auto made = make_stage(mixed<output_mode::append>(), output_mode::append);
      state_reader reader(damaged);
      const result<void> done = made->restore(reader);
      if (!done.ok()) CHECK(done.error().code == "PMSTREAM483");
      if (at == 0) CHECK(!done.ok());
    }
}
