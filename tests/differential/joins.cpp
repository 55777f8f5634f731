#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

// Joins against nested loops over all rows that were ever accepted: keys of two parts with nulls, event times in and
// out of order, conditions of one side and of both, restarts and batches of all sizes.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Shown {
  std::int64_t number;
  std::optional<text> place;
  std::int64_t ad;
  std::optional<timestamp> time;
  std::optional<std::int64_t> value;
  bool wanted;
};
struct Clicked {
  text note;
  std::int64_t price;
  std::int64_t advert;
  std::optional<timestamp> at;
  std::int64_t number;
  std::optional<text> place;
};

struct Pair {
  std::optional<std::int64_t> left_number;
  std::optional<std::int64_t> right_number;
  std::optional<timestamp> shown;
  std::optional<text> note;
  std::optional<std::int64_t> value_or_zero;  // derived before the join: missing where the side is
  std::optional<bool> right_is_missing;
};

/// What comes out of a semi or anti join: rows of the left side.
struct Lone {
  std::int64_t number;
  std::int64_t value_or_zero;
};

constexpr std::int64_t millisecond = 1000;

/// What a join says about times, once more and in other words.
struct time_words {
  std::function<bool(std::int64_t, std::int64_t)> match;      // left, right
  std::function<bool(std::int64_t, std::int64_t)> left_goes;  // time, watermark
  std::function<bool(std::int64_t, std::int64_t)> right_goes;
};

constexpr std::int64_t floor_of(std::int64_t time, std::int64_t length) {
  std::int64_t start = time / length * length;
  return start > time ? start - length : start;
}

struct in_range {
  static constexpr auto rule() { return within(-50ms, 200ms); }
  static time_words words() {
    return {[](auto l, auto r) { return r >= l - 50 * millisecond && r <= l + 200 * millisecond; },
            [](auto l, auto watermark) { return l + 200 * millisecond < watermark; },
            [](auto r, auto watermark) { return r + 50 * millisecond < watermark; }};
  }
};
struct in_open_range {
  static constexpr auto rule() { return within(exclusive(10ms), exclusive(300ms)); }
  static time_words words() {
    return {[](auto l, auto r) { return r > l + 10 * millisecond && r < l + 300 * millisecond; },
            [](auto l, auto watermark) { return l + 300 * millisecond <= watermark; },
            [](auto r, auto watermark) { return r - 10 * millisecond <= watermark; }};
  }
};
struct at_same_time {
  static constexpr auto rule() { return same_time(); }
  static time_words words() {
    const auto goes = [](auto time, auto watermark) { return time <= watermark; };
    return {[](auto l, auto r) { return l == r; }, goes, goes};
  }
};
struct in_same_window {
  static constexpr auto rule() { return same_window(100ms, 30ms); }
  static time_words words() {
    const auto start = [](auto time) { return floor_of(time - 30 * millisecond, 100 * millisecond); };
    const auto goes = [start](auto time, auto watermark) { return start(time) + 130 * millisecond <= watermark; };
    return {[start](auto l, auto r) { return start(l) == start(r); }, goes, goes};
  }
};

// ---- pipelines ------------------------------------------------------------------------------------------------------

auto left_side() {
  return input<Shown>{0} | etlantic::where(field<"wanted">) | derive<"value_or_zero">(coalesce(field<"value">, 0)) |
         watermark<"time">(0s);
}
auto right_side() { return input<Clicked>{1} | watermark<"at">(0s); }
constexpr auto keys = on_equal(left<"place"> == right<"place">, right<"advert"> == left<"ad">);
constexpr auto conditions = where_matched(left<"value"> > -5 && right<"price"> != 3 && left<"value"> != right<"price">);

auto result_rows() {
  return select<Pair>(named<"left_number"> = left<"number">, named<"right_number"> = right<"number">,
                      named<"shown"> = field<"time">, named<"right_is_missing"> = is_null(right<"price">));
}

template <join_sort Sort, class... Options>
auto joined(const Options&... options) {
  if constexpr (Sort == join_sort::inner)
    return inner_join(left_side(), right_side(), keys, options...) | result_rows();
  else if constexpr (Sort == join_sort::left_outer)
    return left_join(left_side(), right_side(), keys, options...) | result_rows();
  else if constexpr (Sort == join_sort::right_outer)
    return right_join(left_side(), right_side(), keys, options...) | result_rows();
  else if constexpr (Sort == join_sort::full_outer)
    return full_join(left_side(), right_side(), keys, options...) | result_rows();
  else if constexpr (Sort == join_sort::left_semi)
    return semi_join(left_side(), right_side(), keys, options...) | select<Lone>();
  else
    return anti_join(left_side(), right_side(), keys, options...) | select<Lone>();
}

using maker = std::function<std::unique_ptr<stage>()>;

template <join_sort Sort, class... Options>
maker make(const Options&... options) {
  return [=] {
    stage_place place{.step = "step"};
    return etlantic::detail::lower_stream(joined<Sort>(options...), place);
  };
}

// ---- rows -----------------------------------------------------------------------------------------------------------

struct batch {
  std::vector<Shown> shown;
  std::vector<Clicked> clicked;
  std::int64_t watermark = 0;
};

class batch_maker {
 public:
  explicit batch_maker(std::uint64_t seed) : random_(seed) {}

  std::vector<batch> make(std::size_t count) {
    std::vector<batch> made(count);
    std::int64_t now = 0, watermark = 0;
    for (batch& each : made) {
      now += below(120);
      for (std::int64_t i = below(30); i > 0; --i) each.shown.push_back(shown(now));
      for (std::int64_t i = below(30); i > 0; --i) each.clicked.push_back(clicked(now));
      watermark = std::max(watermark, (now - below(400)) * millisecond);
      each.watermark = watermark;
    }
    made.back().watermark = now * millisecond + 1'000'000'000;  // nothing waits any longer
    return made;
  }

 private:
  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_); }
  template <class T>
  std::optional<T> maybe(T value) {
    return below(12) == 0 ? std::nullopt : std::optional<T>(std::move(value));
  }
  std::optional<timestamp> time(std::int64_t now) { return maybe(timestamp{(now + below(300) - 200) * millisecond}); }
  std::optional<text> place() {
    return maybe(text(below(2) == 0 ? "here" : "a place with a name that is longer than twelve bytes"));
  }
  Shown shown(std::int64_t now) {
    return {number_++, place(), below(3), time(now), maybe(below(20) - 10), below(8) != 0};
  }
  Clicked clicked(std::int64_t now) {
    return {text("note" + std::string(static_cast<std::size_t>(below(20)), '!')),
            below(6),
            below(3),
            time(now),
            number_++,
            place()};
  }

  std::mt19937_64 random_;
  std::int64_t number_ = 0;
};

// ---- reference ------------------------------------------------------------------------------------------------------

using seen = std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>>;

/// All rows that were accepted, whether the join still needs them or not.
class nested_loops {
 public:
  nested_loops(join_sort sort, time_words words, bool has_conditions)
      : sort_(sort), words_(std::move(words)), has_conditions_(has_conditions) {}

  std::vector<seen> run(const batch& of) {
    std::vector<seen> out;
    for (const Shown& each : of.shown) {
      if (!each.wanted)
        ++filtered;
      else if (each.time && each.time->microseconds <= late_)
        ++late;
      else
        accept(left_, each, out);
    }
    for (const Clicked& each : of.clicked) {
      if (each.at && each.at->microseconds <= late_)
        ++late;
      else
        accept(right_, each, out);
    }
    for (auto& l : left_)
      for (auto& r : right_) {
        if (l.batch != batch_ && r.batch != batch_) continue;  // met before
        if (!match(l.row, r.row)) continue;
        if (gives_left_rows(sort_)) {
          if (sort_ == join_sort::left_semi && !l.matched) out.push_back(alone(l.row));
          l.matched = l.gone = true;
          continue;
        }
        l.matched = r.matched = true;
        out.emplace_back(l.row.number, r.row.number);
      }
    const auto finish = [&](auto& rows, bool keeps, const auto& goes, const auto& missing) {
      for (auto& each : rows) {
        if (each.gone || !goes(*time_of(each.row), of.watermark)) continue;
        each.gone = true;
        if (keeps && !each.matched) out.push_back(missing(each.row.number));
      }
    };
    finish(left_, keeps_left(sort_), words_.left_goes, [](auto number) { return seen(number, std::nullopt); });
    finish(right_, keeps_right(sort_), words_.right_goes, [](auto number) { return seen(std::nullopt, number); });
    late_ = of.watermark;
    ++batch_;
    std::sort(out.begin(), out.end());
    return out;
  }

  std::int64_t waiting() const {
    const auto waits = [](const auto& each) { return !each.gone; };
    return std::count_if(left_.begin(), left_.end(), waits) + std::count_if(right_.begin(), right_.end(), waits);
  }

  std::int64_t filtered = 0, late = 0;

 private:
  template <class Row>
  struct accepted {
    Row row;
    int batch;
    bool matched = false, gone = false;
  };

  static std::optional<std::int64_t> time_of(const Shown& of) {
    return of.time ? std::optional(of.time->microseconds) : std::nullopt;
  }
  static std::optional<std::int64_t> time_of(const Clicked& of) {
    return of.at ? std::optional(of.at->microseconds) : std::nullopt;
  }
  bool can_match(const Shown& of) const { return of.time && (!has_conditions_ || (of.value && *of.value > -5)); }
  bool can_match(const Clicked& of) const { return of.at && (!has_conditions_ || of.price != 3); }
  bool keeps(const Shown&) const { return keeps_left(sort_); }
  bool keeps(const Clicked&) const { return keeps_right(sort_); }
  static seen alone(const Shown& of) { return {of.number, std::nullopt}; }
  static seen alone(const Clicked& of) { return {std::nullopt, of.number}; }

  template <class Row>
  void accept(std::vector<accepted<Row>>& into, const Row& row, std::vector<seen>& out) {
    if (can_match(row))
      into.push_back({row, batch_});
    else if (keeps(row))
      out.push_back(alone(row));
    else
      ++filtered;
  }

  bool match(const Shown& l, const Clicked& r) const {
    if (!l.place || !r.place || l.place->value != r.place->value || l.ad != r.advert) return false;
    if (!words_.match(l.time->microseconds, r.at->microseconds)) return false;
    return !has_conditions_ || *l.value != r.price;
  }

  join_sort sort_;
  time_words words_;
  bool has_conditions_;
  std::vector<accepted<Shown>> left_;
  std::vector<accepted<Clicked>> right_;
  std::int64_t late_ = 0;
  int batch_ = 0;
};

// ---- runs -----------------------------------------------------------------------------------------------------------

struct collected final : stage_outputs {
  std::vector<Pair> rows;

  result<void> emit(std::size_t port, const block& given) override {
    if (port == 0 && given.contract == &schema_of<Lone>()) {
      for (std::size_t i = 0; i < given.rows; ++i) {
        const Lone row = row_at<Lone>(given, i);
        rows.push_back({row.number, {}, {}, {}, row.value_or_zero, true});
      }
      return {};
    }
    if (port == 0)
      for (std::size_t i = 0; i < given.rows; ++i) rows.push_back(row_at<Pair>(given, i));
    return {};
  }
  std::vector<seen> sorted() const {
    std::vector<seen> made;
    for (const Pair& each : rows) made.emplace_back(each.left_number, each.right_number);
    std::sort(made.begin(), made.end());
    return made;
  }
};

template <class Row>
void feed(stage& work, std::size_t input, const std::vector<Row>& rows, std::size_t rows_per_block,
          stage_outputs& out) {
  for (std::size_t at = 0; at < rows.size(); at += rows_per_block) {
    block given(schema_of<Row>());
    for (std::size_t i = at; i < std::min(rows.size(), at + rows_per_block); ++i) append_row(given, rows[i]);
    REQUIRE(work.process(input, given, out).ok());
  }
}

std::unique_ptr<stage> restarted(const stage& from, const maker& make_stage) {
  state_writer saved;
  from.save(saved);
  auto made = make_stage();
  state_reader reader(saved.bytes());
  REQUIRE(made->restore(reader).ok());
  REQUIRE(reader.at_end());
  REQUIRE(made->state().groups == from.state().groups);
  return made;
}

void check_values(const std::vector<Pair>& rows) {
  for (const Pair& each : rows) {
    REQUIRE(each.value_or_zero.has_value() == each.left_number.has_value());
    REQUIRE(each.note.has_value() == each.right_number.has_value());
    REQUIRE(each.right_is_missing == std::optional(!each.right_number.has_value()));
  }
}

void compare(join_sort sort, const time_words& words, bool has_conditions, const maker& make_stage,
             std::uint64_t seed) {
  const std::vector<batch> batches = batch_maker(seed).make(40);
  nested_loops expected(sort, words, has_conditions);
  auto work = make_stage();
  std::mt19937_64 random(seed);
  stage_counts total;
  batch_context context;
  std::size_t results = 0;
  for (const batch& each : batches) {
    context.late_watermark = context.watermark;
    context.watermark = {each.watermark};
    work->begin(context);
    collected out;
    const std::size_t rows_per_block = 1 + random() % 40;
    if (random() % 2 == 0) {
      feed(*work, 0, each.shown, rows_per_block, out);
      feed(*work, 1, each.clicked, rows_per_block, out);
    } else {
      feed(*work, 1, each.clicked, rows_per_block, out);
      feed(*work, 0, each.shown, rows_per_block, out);
    }
    REQUIRE(work->finish(out).ok());
    REQUIRE(out.sorted() == expected.run(each));
    check_values(out.rows);
    results += out.rows.size();
    REQUIRE(work->state().groups == expected.waiting());
    const stage_counts counts = work->counts();
    REQUIRE(counts.received == static_cast<std::int64_t>(each.shown.size() + each.clicked.size()));
    REQUIRE(counts.received == accounted_for(counts));
    REQUIRE(counts.emitted == static_cast<std::int64_t>(out.rows.size()));
    total += counts;
    if (random() % 3 == 0) work = restarted(*work, make_stage);
  }
  CHECK(total.late == expected.late);
  CHECK(total.filtered == expected.filtered);
  CHECK(results > 0);
  CHECK(work->state().groups == 0);
}

template <join_sort Sort, class Time>
void compare_all(std::uint64_t first_seed) {
  for (std::uint64_t seed = first_seed; seed < first_seed + 25; ++seed) {
    INFO(name_of(Sort) << ", seed " << seed);
    compare(Sort, Time::words(), true, make<Sort>(Time::rule(), conditions), seed);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("joins of all kinds agree with nested loops", "", in_range, in_open_range, at_same_time,
                   in_same_window) {
  compare_all<join_sort::inner, TestType>(1);
  compare_all<join_sort::left_outer, TestType>(101);
  compare_all<join_sort::right_outer, TestType>(201);
  compare_all<join_sort::full_outer, TestType>(301);
  compare_all<join_sort::left_semi, TestType>(401);
  compare_all<join_sort::left_anti, TestType>(501);
}

TEST_CASE("joins without a condition agree with nested loops") {
  for (std::uint64_t seed = 500; seed < 525; ++seed) {
    INFO("seed " << seed);
    compare(join_sort::inner, in_range::words(), false, make<join_sort::inner>(in_range::rule()), seed);
    compare(join_sort::full_outer, in_range::words(), false, make<join_sort::full_outer>(in_range::rule()), seed);
    compare(join_sort::left_semi, in_range::words(), false, make<join_sort::left_semi>(in_range::rule()), seed);
    compare(join_sort::left_anti, in_range::words(), false, make<join_sort::left_anti>(in_range::rule()), seed);
  }
}

TEMPLATE_TEST_CASE_SIG("the order of joined rows depends neither on how rows are cut into blocks nor on restarts", "",
                       ((join_sort Sort), Sort), join_sort::full_outer, join_sort::left_semi, join_sort::left_anti) {
  const std::vector<batch> batches = batch_maker(7).make(30);
  const auto order = [&](std::size_t rows_per_block, bool restarts) {
    const maker make_stage = make<Sort>(in_range::rule(), conditions);
    auto work = make_stage();
    batch_context context;
    std::vector<seen> made;
    for (const batch& each : batches) {
      context.late_watermark = context.watermark;
      context.watermark = {each.watermark};
      work->begin(context);
      collected out;
      feed(*work, 0, each.shown, rows_per_block, out);
      feed(*work, 1, each.clicked, rows_per_block, out);
      REQUIRE(work->finish(out).ok());
      for (const Pair& row : out.rows) made.emplace_back(row.left_number, row.right_number);
      if (restarts) work = restarted(*work, make_stage);
    }
    return made;
  };
  const auto at_once = order(1'000, false);
  CHECK(order(1, false) == at_once);
  CHECK(order(7, true) == at_once);
}
