#include "support/catch.hpp"
#include "support/random_rows.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Aggregates whose state is more than a few numbers, against a reference that keeps every row of every window in source
// order: tumbling windows, sliding ones (put together from panes), sessions (which grow together), blocks and batches
// of all sizes, restarts.

using namespace etlantic;
using namespace std::chrono_literals;
using random_rows::Row;

namespace {

auto grouped() { return from<Row>("in") | watermark<"time">(3s) | group_by<"name">; }
auto tumbled() { return grouped() | tumbling<"time">(5s); }
auto slid() { return grouped() | sliding<"time">(6s, 1s); }
auto in_sessions() { return grouped() | session<"time">(100ms); }

// ---- reference ------------------------------------------------------------------------------------------------------

using group_key = std::pair<std::string, std::int64_t>;  // name, start of the window in microseconds
using groups = std::map<group_key, std::vector<Row>>;

struct windows_of {
  std::int64_t length, slide;

  groups operator()(const std::vector<Row>& rows) const {
    groups made;
    for (const Row& row : rows) {
      const std::int64_t time = row.time.microseconds;
      std::int64_t start = time - ((time % slide) + slide) % slide;
      for (; start > time - length; start -= slide) made[{row.name.value, start}].push_back(row);
    }
    return made;
  }
};

struct sessions_of {
  std::int64_t gap;

  groups operator()(const std::vector<Row>& rows) const {
    std::map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t i = 0; i < rows.size(); ++i) by_name[rows[i].name.value].push_back(i);
    const auto time_of = [&](std::size_t row) { return rows[row].time.microseconds; };
    groups made;
    for (auto& [name, places] : by_name) {
      std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return time_of(a) < time_of(b); });
      for (std::size_t begin = 0, end = 1; begin < places.size(); begin = end++) {
        while (end < places.size() && time_of(places[end]) <= time_of(places[end - 1]) + gap) ++end;
        std::vector<std::size_t> inside(places.begin() + static_cast<std::ptrdiff_t>(begin),
                                        places.begin() + static_cast<std::ptrdiff_t>(end));
        std::vector<Row>& into = made[{name, time_of(inside.front())}];
        std::sort(inside.begin(), inside.end());
        for (const std::size_t row : inside) into.push_back(rows[row]);
      }
    }
    return made;
  }
};

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

template <class Result, class Pipeline, class Windows>
void compare(const Pipeline& pipeline, const Windows& windows, std::uint64_t seed) {
  const result<program> lowered = lower(pipeline);
  REQUIRE(lowered.ok());
  const auto& make = lowered->nodes.at(1).make_stage;
  random_rows::generator random(seed);
  for (std::size_t size : {1u, 65u, 3000u}) {
    const std::vector<Row> rows = random.rows(size);
    const groups expected = windows(rows);
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
        state_writer again;
        work->save(again);
        REQUIRE(again.bytes() == saved.bytes());
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

/// `aggregated` puts the aggregate behind a window.
template <class Result, class Aggregated>
void compare_in_all_windows(Aggregated aggregated, std::uint64_t seed) {
  compare<Result>(aggregated(tumbled()), windows_of{5'000'000, 5'000'000}, seed);
  compare<Result>(aggregated(slid()), windows_of{6'000'000, 1'000'000}, seed);
  compare<Result>(aggregated(in_sessions()), sessions_of{100'000}, seed);
}

// ---- aggregates of the user -----------------------------------------------------------------------------------------

/// The three largest values and how many there were.
struct three_largest {
  std::array<std::int64_t, 3> largest{};  // descending
  std::int64_t count = 0;

  void add(std::int64_t value) {
    const auto kept = static_cast<std::size_t>(std::min<std::int64_t>(count++, 3));
    std::size_t at = 0;
    while (at < kept && largest[at] >= value) ++at;
    for (; at < 3; ++at) std::swap(value, largest[at]);
  }
  void merge(const three_largest& other) {
    const std::int64_t kept = std::min<std::int64_t>(other.count, 3);
    for (std::int64_t i = 0; i < kept; ++i) add(other.largest[static_cast<std::size_t>(i)]);
    count += other.count - kept;
  }
  std::optional<std::int64_t> result() const {
    if (count < 3) return std::nullopt;
    return largest[0] / 8 - largest[1] / 4 + largest[2] / 2 + count;
  }
};

/// Of two values of a row.
struct sum_of_products {
  int128 sum = 0;

  void add(const decimal<18, 2>& amount, bool negative) { sum += negative ? -amount.scaled : amount.scaled; }
  void merge(const sum_of_products& other) { sum += other.sum; }
  decimal<38, 2> result() const { return decimal<38, 2>::from_scaled(sum); }
};

struct ByUser {
  text name;
  timestamp window_start, window_end;
  std::optional<std::int64_t> of_ids, of_maybe;
  decimal<38, 2> balance;
};

std::optional<std::int64_t> three_largest_of(std::vector<std::int64_t> values) {
  if (values.size() < 3) return std::nullopt;
  std::sort(values.begin(), values.end(), std::greater<>());
  return values[0] / 8 - values[1] / 4 + values[2] / 2 + static_cast<std::int64_t>(values.size());
}

void check_group(const ByUser& got, const std::vector<Row>& rows) {
  std::vector<std::int64_t> ids, maybe;
  int128 balance = 0;
  for (const Row& row : rows) {
    ids.push_back(row.id);
    if (row.maybe) maybe.push_back(*row.maybe);
    if (row.maybe_flag) balance += *row.maybe_flag ? -row.money.scaled : row.money.scaled;
  }
  CHECK(got.of_ids == three_largest_of(ids));
  CHECK(got.of_maybe == three_largest_of(maybe));
  CHECK(got.balance.scaled == balance);
}

constexpr auto by_user = [](auto rows) {
  return rows |
         aggregate<ByUser>(named<"of_ids"> = aggregated_by<three_largest>(field<"id">),
                           named<"of_maybe"> = aggregated_by<three_largest>(field<"maybe">),
                           named<"balance"> = aggregated_by<sum_of_products>(field<"money">, field<"maybe_flag">)) |
         into<output_mode::complete>("out");
};

// ---- approximate numbers of values: exact as long as there are few --------------------------------------------------

struct Counted {
  text name;
  timestamp window_start, window_end;
  std::int64_t ids, reals, names, flags, wides, paints, times;
};

template <class Key>
std::int64_t distinct_of(const std::vector<Row>& rows, Key key) {
  std::set<std::string> seen;
  for (const Row& row : rows)
    if (const std::optional<std::string> found = key(row)) seen.insert(*found);
  return static_cast<std::int64_t>(seen.size());
}

void check_group(const Counted& got, const std::vector<Row>& rows) {
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
  CHECK(got.times == distinct_of(rows, [](const Row& row) { return maybe(std::to_string(row.time.microseconds)); }));
}

constexpr auto approximately_counted = [](auto rows) {
  return rows |
         aggregate<Counted>(named<"ids"> = approximate_count_distinct(field<"id">),
                            named<"reals"> = approximate_count_distinct(field<"maybe_real">),
                            named<"names"> = approximate_count_distinct(field<"maybe_name">),
                            named<"flags"> = approximate_count_distinct(field<"flag">),
                            named<"wides"> = approximate_count_distinct(field<"wide">),
                            named<"paints"> = approximate_count_distinct(field<"paint">),
                            named<"times"> = approximate_count_distinct(field<"time">)) |
         into<output_mode::complete>("out");
};

// ---- approximate quantiles: within a share of the value at their place, exact for small numbers ---------------------

struct Quantiles {
  text name;
  timestamp window_start, window_end;
  std::int32_t small_median;
  std::int64_t least_id, late_id, greatest_id;
  std::uint64_t natural;
  std::optional<std::int64_t> maybe;
  decimal<18, 2> money;
  std::optional<decimal<30, 4>> wide;
  double real;
  std::optional<double> maybe_real;
};

// NaN is greater than every number.
template <class Value>
bool precedes(const Value& a, const Value& b) {
  if constexpr (std::is_same_v<Value, double>) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  }
  return a < b;
}

/// The value at a place in the order that `share` of 1000 do not exceed.
template <class Value>
std::optional<Value> at_share(std::vector<Value> values, std::size_t share) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end(),
            [](const Value& a, const Value& b) { return precedes(a, b) && !precedes(b, a); });
  const std::size_t place = (values.size() * share + 999) / 1000;
  return values[place == 0 ? 0 : place - 1];
}
template <class Value>
void check_near(const std::optional<Value>& got, const std::optional<Value>& wanted) {
  REQUIRE(got.has_value() == wanted.has_value());
  if (!got) return;
  const auto number = [](const Value& of) {
    if constexpr (requires { of.scaled; })
      return static_cast<double>(of.scaled);
    else
      return static_cast<double>(of);
  };
  const double a = number(*got), b = number(*wanted);
  if (std::isfinite(b))
    CHECK(std::abs(a - b) <= std::abs(b) / 128);
  else
    CHECK((std::isnan(b) ? std::isnan(a) : a == b));
}

template <class Get>
auto values_of(const std::vector<Row>& rows, Get get) {
  std::vector<typename decltype(get(rows[0]))::value_type> made;
  for (const Row& row : rows)
    if (const auto found = get(row)) made.push_back(*found);
  return made;
}

void check_group(const Quantiles& got, const std::vector<Row>& rows) {
  const auto wanted = [&](std::size_t share, auto get) { return at_share(values_of(rows, get), share); };
  check_near(std::optional(got.small_median), wanted(500, [](const Row& row) { return std::optional(row.small); }));
  const auto id = [](const Row& row) { return std::optional(row.id); };
  CHECK(got.least_id == wanted(0, id));
  CHECK(got.greatest_id == wanted(1000, id));
  check_near(std::optional(got.late_id), wanted(950, id));
  check_near(std::optional(got.natural), wanted(900, [](const Row& row) { return std::optional(row.natural); }));
  check_near(got.maybe, wanted(250, [](const Row& row) { return row.maybe; }));
  check_near(std::optional(got.money), wanted(750, [](const Row& row) { return std::optional(row.money); }));
  check_near(got.wide, wanted(999, [](const Row& row) { return row.wide; }));
  check_near(std::optional(got.real), wanted(500, [](const Row& row) { return std::optional(row.real); }));
  check_near(got.maybe_real, wanted(100, [](const Row& row) { return row.maybe_real; }));
}

constexpr auto quantiles = [](auto rows) {
  return rows |
         aggregate<Quantiles>(named<"small_median"> = approximate_quantile<50>(field<"small">),
                              named<"least_id"> = approximate_quantile<0>(field<"id">),
                              named<"late_id"> = approximate_quantile<19, 20>(field<"id">),
                              named<"greatest_id"> = approximate_quantile<100>(field<"id">),
                              named<"natural"> = approximate_quantile<90>(field<"natural">),
                              named<"maybe"> = approximate_quantile<25>(field<"maybe">),
                              named<"money"> = approximate_quantile<75>(field<"money">),
                              named<"wide"> = approximate_quantile<999, 1000>(field<"wide">),
                              named<"real"> = approximate_quantile<50>(field<"real">),
                              named<"maybe_real"> = approximate_quantile<10>(field<"maybe_real">)) |
         into<output_mode::complete>("out");
};

// ---- lists ----------------------------------------------------------------------------------------------------------

struct Lists {
  text name;
  timestamp window_start, window_end;
  std::vector<std::int64_t> ids;
  std::vector<text> names;
  std::vector<bool> flags;
  std::vector<decimal<30, 4>> wides;
  std::vector<random_rows::colour> paints;
  std::vector<timestamp> times;
  std::vector<std::int64_t> negatives;
};

template <class Get>
auto first_of(const std::vector<Row>& rows, std::size_t most, Get get) {
  auto made = values_of(rows, get);
  made.resize(std::min(made.size(), most));
  return made;
}

void check_group(const Lists& got, const std::vector<Row>& rows) {
  CHECK(got.ids == first_of(rows, 3, [](const Row& row) { return std::optional(row.id); }));
  CHECK(got.names == first_of(rows, 5, [](const Row& row) { return row.maybe_name; }));
  CHECK(got.flags == first_of(rows, 4, [](const Row& row) { return row.maybe_flag; }));
  CHECK(got.wides == first_of(rows, 2, [](const Row& row) { return row.wide; }));
  CHECK(got.paints == first_of(rows, 1, [](const Row& row) { return std::optional(row.paint); }));
  CHECK(got.times == first_of(rows, 10'000, [](const Row& row) { return std::optional(row.time); }));
  CHECK(got.negatives ==
        first_of(rows, 7, [](const Row& row) { return row.maybe ? std::optional(-*row.maybe) : row.maybe; }));
}

constexpr auto lists = [](auto rows) {
  return rows |
         aggregate<Lists>(
             named<"ids"> = collect_list<3>(field<"id">), named<"names"> = collect_list<5>(field<"maybe_name">),
             named<"flags"> = collect_list<4>(field<"maybe_flag">), named<"wides"> = collect_list<2>(field<"wide">),
             named<"paints"> = collect_list<1>(field<"paint">), named<"times"> = collect_list<10'000>(field<"time">),
             named<"negatives"> = collect_list<7>(-field<"maybe">)) |
         into<output_mode::complete>("out");
};

}  // namespace

TEST_CASE("aggregates of the user agree with all rows of a window") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) compare_in_all_windows<ByUser>(by_user, seed);
}
TEST_CASE(
    "approximate numbers of different values agree with sets of all values of a window, as long as they are few") {
  for (std::uint64_t seed = 11; seed <= 13; ++seed) compare_in_all_windows<Counted>(approximately_counted, seed);
}
TEST_CASE("approximate quantiles are near the value at their place among all rows of a window") {
  for (std::uint64_t seed = 21; seed <= 24; ++seed) compare_in_all_windows<Quantiles>(quantiles, seed);
}
TEST_CASE("lists hold the first values of a window in source order") {
  for (std::uint64_t seed = 31; seed <= 34; ++seed) compare_in_all_windows<Lists>(lists, seed);
}
