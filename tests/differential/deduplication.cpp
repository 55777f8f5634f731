#include "support/catch.hpp"
#include "support/rounds.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

// Deduplication against a std::map from the key's text to the watermark at which it leaves: keys with nulls, NaN, both
// zeros and texts of all lengths, times out of order, late and missing ones, blocks of odd lengths, restarts.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Row {
  std::int64_t number;
  std::optional<std::int32_t> id;
  std::optional<text> name;
  double real;
  bool wanted;
  std::optional<timestamp> time;
  std::optional<text> payload;
};

constexpr std::int64_t delay = 2'000'000;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

auto unique(const auto& step) {
  return from<Row>("in") | watermark<"time">(2s) | etlantic::where(field<"wanted">) | step | into("out");
}

template <class Pipeline>
std::unique_ptr<stage> make_stage(const Pipeline& pipeline) {
  return lower_stage(etlantic::detail::as_port_stream(pipeline.chain),
                     stage_place{output_mode::append, "step", &schema_of<late<Row>>(), 2});
}

/// What came out, in order: numbers and payloads of the rows, with their places in the source.
struct collected final : stage_outputs {
  std::vector<std::pair<std::int64_t, std::string>> rows;
  std::vector<std::int64_t> positions, late_numbers;
  bool splits_kept = true;

  result<void> emit(std::size_t port, const block& given) override {
    for (std::size_t i = 0; i < given.rows; ++i) {
      if (port == 2) {
        late_numbers.push_back(given.columns[0].children[0].value<std::int64_t>(i));
        continue;
      }
      const Row row = row_at<Row>(given, i);
      rows.emplace_back(row.number, row.payload ? row.payload->value : "-");
    }
    if (port == 0) {
      splits_kept &= given.split == "orders.ndjson" && given.positions.size() == given.rows;
      positions.insert(positions.end(), given.positions.begin(), given.positions.end());
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
      constexpr double reals[] = {0.0, -0.0, 1.5, std::numeric_limits<double>::infinity()};
      row.real = below(6) == 0 ? std::copysign(std::nan(std::to_string(below(5)).c_str()), below(2) == 0 ? 1.0 : -1.0)
                               : reals[below(4)];
      row.wanted = below(10) != 0;
      if (below(30) != 0) row.time = timestamp{time()};
      if (below(3) != 0) row.payload = text("payload number " + std::to_string(row.number));
      made.push_back(std::move(row));
    }
    return made;
  }

  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_); }

 private:
  // Around a time that moves on, on few different values, so that keys with the time in them meet; some far behind it.
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
  made.split = "orders.ndjson";
  for (std::size_t i = begin; i < end; ++i) {
    append_row(made, rows[i]);
    made.positions.push_back(rows[i].number * 100);
  }
  return made;
}

// ---- reference ------------------------------------------------------------------------------------------------------

enum class form { with_time, numbers_with_time, within, everything };

class reference {
 public:
  explicit reference(form of) : form_(of) {}

  std::vector<std::pair<std::int64_t, std::string>> rows;
  std::vector<std::int64_t> late_numbers;
  std::int64_t filtered = 0, duplicate = 0;
  std::optional<std::int64_t> greatest;

  void begin() {
    rows.clear(), late_numbers.clear();
    filtered = duplicate = 0;
    greatest.reset();
  }
  void add(const Row& row, std::int64_t late_watermark) {
    if (!row.wanted) return void(++filtered);
    if (row.time) greatest = std::max(greatest.value_or(row.time->microseconds), row.time->microseconds);
    if (row.time && row.time->microseconds <= late_watermark) return late_numbers.push_back(row.number);
    if (!seen_.emplace(key(row), leaves_at(row)).second) return void(++duplicate);
    rows.emplace_back(row.number, row.payload ? row.payload->value : "-");
  }
  void finish(std::int64_t watermark) {
    std::erase_if(seen_, [&](const auto& each) { return each.second <= watermark; });
  }
  std::int64_t size() const { return static_cast<std::int64_t>(seen_.size()); }

 private:
  std::string key(const Row& row) const {
    std::string made = row.id ? std::to_string(*row.id) : "null";
    if (form_ != form::numbers_with_time) made += "|" + (row.name ? "'" + row.name->value + "'" : std::string("null"));
    made += "|" + (std::isnan(row.real) ? std::string("nan") : row.real == 0 ? "0" : std::to_string(row.real));
    if (has_time()) made += "|" + (row.time ? std::to_string(row.time->microseconds) : std::string("null"));
    return made;
  }
  std::int64_t leaves_at(const Row& row) const {
    if (form_ == form::everything) return never;
    if (has_time()) return row.time ? row.time->microseconds : never;
    return (row.time ? row.time->microseconds : 0) + delay;
  }

  bool has_time() const { return form_ == form::with_time || form_ == form::numbers_with_time; }

  form form_;
  std::map<std::string, std::int64_t> seen_;
};

// ---- runs -----------------------------------------------------------------------------------------------------------

struct run_settings {
  std::int64_t keys = 5;
  std::int64_t step = 20'000;
  std::size_t batches = 30;
  std::int64_t rows_per_batch = 400;
};

template <class Pipeline>
void compare(const Pipeline& pipeline, form of, const run_settings& how, unsigned seed) {
  row_maker maker(seed, how.keys, how.step);
  reference expected(of);
  auto work = make_stage(pipeline);
  std::int64_t watermark = 0, late_watermark = 0;
  for (std::size_t number = 0; number < how.batches; ++number) {
    INFO("batch " << number << ", seed " << seed << ", form " << static_cast<int>(of));
    const std::vector<Row> rows = maker.make(static_cast<std::size_t>(maker.below(how.rows_per_batch)));
    batch_context batch;
    batch.watermark.microseconds = watermark;
    batch.late_watermark.microseconds = late_watermark;
    work->begin(batch);
    expected.begin();
    collected out;
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t end =
          std::min(rows.size(), begin + static_cast<std::size_t>(1 + maker.below(how.rows_per_batch)));
      REQUIRE(work->process(0, as_block(rows, begin, end), out).ok());
      begin = end;
    }
    REQUIRE(work->finish(out).ok());
    for (const Row& row : rows) expected.add(row, late_watermark);
    expected.finish(watermark);

    REQUIRE(out.rows == expected.rows);
    REQUIRE(out.splits_kept);
    for (std::size_t i = 0; i < out.rows.size(); ++i) REQUIRE(out.positions.at(i) == out.rows[i].first * 100);
    REQUIRE(out.late_numbers == expected.late_numbers);
    const stage_counts counts = work->counts();
    REQUIRE(counts.received == static_cast<std::int64_t>(rows.size()));
    REQUIRE(counts.filtered == expected.filtered);
    REQUIRE(counts.duplicate == expected.duplicate);
    REQUIRE(counts.late == static_cast<std::int64_t>(expected.late_numbers.size()));
    REQUIRE(counts.emitted == counts.kept);
    REQUIRE(accounted_for(counts) == counts.received);
    REQUIRE(work->state().groups == expected.size());
    const auto greatest = greatest_event_time(*work);
    REQUIRE(greatest.has_value() == expected.greatest.has_value());
    if (greatest) REQUIRE(greatest->microseconds == *expected.greatest);

    late_watermark = watermark;
    if (expected.greatest) watermark = std::max(watermark, (*expected.greatest - delay) / 1000 * 1000);
    if (maker.below(2) == 0) late_watermark = watermark;  // a batch without data came between
    if (maker.below(3) != 0) continue;
    state_writer saved;
    work->save(saved);
    work = make_stage(pipeline);
    state_reader reader(saved.bytes());
    REQUIRE(work->restore(reader).ok());
    REQUIRE(reader.at_end());
  }
}

void compare_all(const run_settings& how, unsigned seed) {
  compare(unique(deduplicate<"id", "name", "real", "time">), form::with_time, how, seed);
  compare(unique(deduplicate<"id", "real", "time">), form::numbers_with_time, how, seed + 1);
  compare(unique(deduplicate_within_watermark<"id", "name", "real">), form::within, how, seed + 2);
  compare(unique(deduplicate<"id", "name", "real">.keeping_every_key()), form::everything, how, seed + 3);
}

struct Number {
  std::int64_t id;
  text name;
  timestamp time;
};

}  // namespace

TEST_CASE("deduplication agrees with a map of keys, over many seeds, with restarts now and then") {
  for (unsigned seed = 1; seed <= test::rounds(40); ++seed) compare_all({}, seed * 10);
}
TEST_CASE("deduplication agrees with a map of keys when there are many of them") {
  for (unsigned seed = 1; seed <= test::rounds(3); ++seed) compare_all({100'000, 300, 12, 12'000}, seed * 1000);
}
TEST_CASE("deduplication agrees with a map of keys when every batch closes most of them") {
  for (unsigned seed = 1; seed <= test::rounds(10); ++seed) compare_all({1'000, 400'000, 25, 500}, seed * 77);
}

TEST_CASE("what a deduplication remembers stays level over a thousand delays of input") {
  const auto make = [](const auto& step) {
    return lower_stage(
        etlantic::detail::as_port_stream((from<Number>("in") | watermark<"time">(2s) | step | into("out")).chain),
        stage_place{output_mode::append, "step"});
  };
  const auto run = [](std::unique_ptr<stage> work) {
    std::int64_t watermark = 0;
    state_metrics most_early, most_late;
    std::size_t saved_early = 0, saved_late = 0;
    for (std::int64_t number = 0; number < 2'000; ++number) {  // a second of events in each batch
      batch_context batch;
      batch.watermark.microseconds = batch.late_watermark.microseconds = watermark;
      work->begin(batch);
      block rows(schema_of<Number>());
      for (std::int64_t i = 0; i < 200; ++i) {
        const std::int64_t id = number * 150 + i;  // a quarter comes again
        append_row(rows, Number{id, text("number " + std::to_string(100'000'000 + id)), {(number * 200 + i) * 5'000}});
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
  run(make(deduplicate<"id", "time">));
  run(make(deduplicate_within_watermark<"id">));
  run(make(deduplicate_within_watermark<"name">));
}
