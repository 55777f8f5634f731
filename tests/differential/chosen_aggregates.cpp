#include "support/catch.hpp"
#include "support/random_rows.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

// Aggregates that choose a row, count by a predicate or measure a spread, against a reference that keeps every row of
// every window in source order: tumbling, sliding and no windows, blocks and batches of all sizes, restarts.

using namespace etlantic;
using namespace std::chrono_literals;
using random_rows::Row;

namespace {

struct Chosen {
  text name;
  timestamp window_start, window_end;
  std::int64_t latest;                          // max_by(id, time)
  std::optional<text> name_of_greatest;         // max_by(maybe_name, real)
  std::optional<decimal<30, 4>> wide_of_least;  // min_by(wide, maybe_name)
  std::optional<double> real_of_least_money;    // min_by(maybe_real, money)
  std::int64_t first_id, last_id;
  std::optional<bool> first_flag;
  std::optional<text> last_name;
  std::int64_t large;  // count_if(maybe > 0)
  std::int64_t flagged;
};
struct Distinct {
  text name;
  timestamp window_start, window_end;
  std::int64_t ids, reals, names, flags, wides, paints;
};
struct Spread {
  text name;
  timestamp window_start, window_end;
  std::optional<double> of_small, of_money, deviation_of_maybe;
};

template <class Grouped>
auto chosen(Grouped rows) {
  return rows |
         aggregate<Chosen>(named<"latest"> = max_by(field<"id">, field<"time">),
                           named<"name_of_greatest"> = max_by(field<"maybe_name">, field<"real">),
                           named<"wide_of_least"> = min_by(field<"wide">, field<"maybe_name">),
                           named<"real_of_least_money"> = min_by(field<"maybe_real">, field<"money">),
                           named<"first_id"> = first(field<"id">), named<"last_id"> = last(field<"id">),
                           named<"first_flag"> = first(field<"maybe_flag">),
                           named<"last_name"> = last(field<"maybe_name">),
                           named<"large"> = count_if(field<"maybe"> > 0), named<"flagged"> = count_if(field<"flag">)) |
         into<output_mode::complete>("out");
}
template <class Grouped>
auto spread(Grouped rows) {
  return rows |
         aggregate<Spread>(named<"of_small"> = variance(field<"small">), named<"of_money"> = variance(field<"money">),
                           named<"deviation_of_maybe"> = stddev(field<"maybe">)) |
         into<output_mode::complete>("out");
}
template <class Grouped>
auto distinct(Grouped rows) {
  return rows |
         aggregate<Distinct>(
             named<"ids"> = count_distinct(field<"id">), named<"reals"> = count_distinct(field<"maybe_real">),
             named<"names"> = count_distinct(field<"maybe_name">), named<"flags"> = count_distinct(field<"flag">),
             named<"wides"> = count_distinct(field<"wide">), named<"paints"> = count_distinct(field<"paint">)) |
         into<output_mode::complete>("out");
}
auto grouped() { return from<Row>("in") | watermark<"time">(3s) | group_by<"name">; }
auto tumbled() { return grouped() | tumbling<"time">(5s); }
auto slid() { return grouped() | sliding<"time">(6s, 1s); }

// ---- reference ------------------------------------------------------------------------------------------------------

struct window {
  std::int64_t length, slide;  // microseconds
};
using group_key = std::pair<std::string, std::int64_t>;
using groups = std::map<group_key, std::vector<Row>>;

groups groups_of(const std::vector<Row>& rows, window of) {
  groups made;
  for (const Row& row : rows) {
    const std::int64_t time = row.time.microseconds;
    std::int64_t start = time - ((time % of.slide) + of.slide) % of.slide;
    for (; start > time - of.length; start -= of.slide) made[{row.name.value, start}].push_back(row);
  }
  return made;
}

// NaN is greater than every number, and equal to itself.
bool before(double a, double b) { return a < b || (!std::isnan(a) && std::isnan(b)); }
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool same(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

/// The last of the rows than which no other is better.
template <class Has, class Better>
const Row* best(const std::vector<Row>& rows, Has has, Better better) {
  const Row* found = nullptr;
  for (const Row& row : rows)
    if (has(row) && (found == nullptr || !better(*found, row))) found = &row;
  return found;
}

void check_group(const Chosen& got, const std::vector<Row>& rows) {
  const auto always = [](const Row&) { return true; };
  CHECK(got.latest == best(rows, always, [](const Row& a, const Row& b) { return a.time > b.time; })->id);
  CHECK(got.name_of_greatest ==
        best(rows, always, [](const Row& a, const Row& b) { return before(b.real, a.real); })->maybe_name);
  const Row* least_name = best(
      rows, [](const Row& row) { return row.maybe_name.has_value(); },
      [](const Row& a, const Row& b) { return a.maybe_name->value < b.maybe_name->value; });
  CHECK(got.wide_of_least == (least_name == nullptr ? std::nullopt : least_name->wide));
  CHECK(same(got.real_of_least_money, best(rows, always, [](const Row& a, const Row& b) {
                                        return a.money.scaled < b.money.scaled;
                                      })->maybe_real));
  CHECK(got.first_id == rows.front().id);
  CHECK(got.last_id == rows.back().id);
  CHECK(got.first_flag == rows.front().maybe_flag);
  CHECK(got.last_name == rows.back().maybe_name);
  CHECK(got.large ==
        std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.maybe && *row.maybe > 0; }));
  CHECK(got.flagged == std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.flag; }));
}

template <class Key>
std::int64_t distinct_of(const std::vector<Row>& rows, Key key) {
  std::set<std::string> seen;
  for (const Row& row : rows)
    if (const std::optional<std::string> found = key(row)) seen.insert(*found);
  return static_cast<std::int64_t>(seen.size());
}

void check_group(const Distinct& got, const std::vector<Row>& rows) {
  using maybe = std::optional<std::string>;
  CHECK(got.ids == distinct_of(rows, [](const Row& row) { return maybe(std::to_string(row.id)); }));
  CHECK(got.reals == distinct_of(rows, [](const Row& row) -> maybe {
          if (!row.maybe_real) return std::nullopt;
          return std::isnan(*row.maybe_real) ? "nan" : *row.maybe_real == 0 ? "0" : std::to_string(*row.maybe_real);
        }));
  CHECK(got.names == distinct_of(rows, [](const Row& row) -> maybe {
          if (!row.maybe_name) return std::nullopt;
          return row.maybe_name->value;
        }));
  CHECK(got.flags == distinct_of(rows, [](const Row& row) { return maybe(row.flag ? "t" : "f"); }));
  CHECK(got.wides == distinct_of(rows, [](const Row& row) -> maybe {
          if (!row.wide) return std::nullopt;
          return std::string(reinterpret_cast<const char*>(&row.wide->scaled), sizeof row.wide->scaled);
        }));
  CHECK(got.paints ==
        distinct_of(rows, [](const Row& row) { return maybe(std::to_string(static_cast<int>(row.paint))); }));
}

/// In two passes, which needs all values at once and loses nothing.
std::optional<double> variance_of(const std::vector<long double>& values) {
  if (values.size() < 2) return std::nullopt;
  long double sum = 0, squares = 0;
  for (const long double value : values) sum += value;
  const long double mean = sum / static_cast<long double>(values.size());
  for (const long double value : values) squares += (value - mean) * (value - mean);
  return static_cast<double>(squares / static_cast<long double>(values.size() - 1));
}
void check_close(const std::optional<double>& got, const std::optional<double>& wanted) {
  REQUIRE(got.has_value() == wanted.has_value());
  if (wanted) CHECK(std::abs(*got - *wanted) <= 1e-12 * std::abs(*wanted));
}

void check_group(const Spread& got, const std::vector<Row>& rows) {
  std::vector<long double> small, money, maybe;
  for (const Row& row : rows) {
    small.push_back(row.small);
    money.push_back(static_cast<long double>(row.money.scaled) / 100);
    if (row.maybe) maybe.push_back(static_cast<long double>(*row.maybe));
  }
  check_close(got.of_small, variance_of(small));
  check_close(got.of_money, variance_of(money));
  std::optional<double> deviation = variance_of(maybe);
  if (deviation) deviation = std::sqrt(*deviation);
  check_close(got.deviation_of_maybe, deviation);
}

// ---- runs -----------------------------------------------------------------------------------------------------------

template <class Result>
struct collected final : stage_outputs {
  std::vector<Result> results;
  result<void> emit(std::size_t port, const block& rows) override {
    if (port == 0)
      for (std::size_t i = 0; i < rows.rows; ++i) results.push_back(row_at<Result>(rows, i));
    return {};
  }
};

template <class Result, class Pipeline>
void compare(const Pipeline& pipeline, window of, std::uint64_t seed) {
  const result<program> lowered = lower(pipeline);
  REQUIRE(lowered.ok());
  const auto& make = lowered->nodes.at(1).make_stage;
  random_rows::generator random(seed);
  for (std::size_t size : {1u, 65u, 3000u}) {
    const std::vector<Row> rows = random.rows(size);
    const groups expected = groups_of(rows, of);
    for (std::size_t cut : {std::size_t{1} + size / 50, size}) {
      auto work = make(output_mode::complete);
      collected<Result> out;
      for (std::size_t begin = 0; begin < size; begin += cut * 3) {
        work->begin({});
        for (std::size_t at = begin; at < std::min(size, begin + cut * 3); at += cut) {
          const auto first_row = rows.begin() + static_cast<std::ptrdiff_t>(at);
          const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(size, at + cut));
          REQUIRE(work->process(0, random_rows::as_block({first_row, end}), out).ok());
        }
        out.results.clear();
        REQUIRE(work->finish(out).ok());
        state_writer saved;  // a restart in between changes nothing
        work->save(saved);
        work = make(output_mode::complete);
        state_reader reader(saved.bytes());
        REQUIRE(work->restore(reader).ok());
        REQUIRE(reader.at_end());
      }
      INFO(size << " rows in blocks of " << cut << ", seed " << seed);
      REQUIRE(out.results.size() == expected.size());
      for (const Result& got : out.results) {
        const auto found = expected.find({got.name.value, got.window_start.microseconds});
        REQUIRE(found != expected.end());
        check_group(got, found->second);
      }
    }
  }
}

constexpr window tumbling_window{5'000'000, 5'000'000}, sliding_window{6'000'000, 1'000'000};

}  // namespace

TEST_CASE("the value of a row that is first, last, least or greatest agrees with all rows of a tumbling window") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) compare<Chosen>(chosen(tumbled()), tumbling_window, seed);
}
TEST_CASE("the value of a row that is first, last, least or greatest agrees with all rows of a sliding window") {
  for (std::uint64_t seed = 11; seed <= 15; ++seed) compare<Chosen>(chosen(slid()), sliding_window, seed);
}
TEST_CASE("numbers of different values agree with sets of all values of a window") {
  for (std::uint64_t seed = 31; seed <= 33; ++seed) {
    compare<Distinct>(distinct(tumbled()), tumbling_window, seed);
    compare<Distinct>(distinct(slid()), sliding_window, seed);
  }
}
TEST_CASE("variance and deviation agree with two passes over all rows of a window") {
  for (std::uint64_t seed = 21; seed <= 25; ++seed) {
    compare<Spread>(spread(tumbled()), tumbling_window, seed);
    compare<Spread>(spread(slid()), sliding_window, seed);
  }
}
