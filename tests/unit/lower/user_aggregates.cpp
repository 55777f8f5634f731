#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

// Aggregates of the user, over rows in memory: what add gets, nulls, results, state that is saved, changed or damaged.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

template <class Out, class In, class Pipeline>
std::vector<Out> results_of(const Pipeline& pipeline, const std::vector<std::vector<In>>& batches) {
  auto source = std::make_shared<memory_source<In>>();
  auto sink = std::make_shared<memory_sink<Out>>();
  for (const auto& each : batches) source->add(each);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = sink;
  const auto done = run(pipeline, where);
  if (!done) FAIL(done.error().message);
  return sink->rows();
}

// The example of docs/expressions.md.
struct geometric_mean {
  double logarithms = 0;
  std::int64_t count = 0;

  void add(double value) {
    logarithms += std::log(value);
    ++count;
  }
  void merge(const geometric_mean& other) {
    logarithms += other.logarithms;
    count += other.count;
  }
  std::optional<double> result() const {
    if (count == 0) return std::nullopt;
    return std::exp(logarithms / static_cast<double>(count));
  }
};

enum class colour { red, green, blue };
struct Everything {
  text key;
  bool flag;
  std::int8_t small;
  std::uint64_t natural;
  float real;
  decimal<10, 2> money;
  decimal<30, 2> wide;
  colour paint;
  date day;
  timestamp time;
  duration length;
  binary bytes;
};

/// Notes what it gets.
struct noted {
  bool flag = false;
  std::int64_t small = 0;
  std::uint64_t natural = 0;
  double real = 0;
  decimal<10, 2> money;
  decimal<30, 2> wide;
  colour paint = colour::red;
  date day;
  timestamp time;
  duration length{};
  std::array<char, 4> characters{};
  std::uint8_t bytes = 0;

  void add(bool a, std::int64_t b, std::uint64_t c, double d, const decimal<10, 2>& e, decimal<30, 2> f, colour g,
           date h, timestamp i, duration j, std::string_view k, const binary& l) {
    flag = a, small = b, natural = c, real = d, money = e, wide = f, paint = g, day = h, time = i, length = j;
    std::copy_n(k.begin(), std::min(k.size(), characters.size()), characters.begin());
    bytes = static_cast<std::uint8_t>(l.value.size());
  }
  void merge(const noted&) {}
  text result() const {
    const bool right = flag && small == -7 && natural == ~std::uint64_t{0} && real == 0.5 &&
                       money == decimal<10, 2>("12.34") && wide == decimal<30, 2>("-1234567890123456789012345.67") &&
                       paint == colour::blue && day == date{-1} && time == timestamp{-5} && length == 3us &&
                       std::string_view(characters.data(), 4) == "abcd" && bytes == 2;
    return right ? "right" : "wrong";
  }
};

/// Keeps one value and gives it back as it is.
template <class T>
struct latest {
  T value{};
  void add(const T& given) { value = given; }
  void merge(const latest& other) { value = other.value; }
  T result() const { return value; }
};

struct longest {
  std::array<char, 16> characters{};
  std::uint8_t size = 0;

  void add(std::string_view given) {
    const auto fitting = static_cast<std::uint8_t>(std::min(given.size(), characters.size()));
    if (fitting <= size) return;
    std::copy_n(given.begin(), fitting, characters.begin());
    size = fitting;
  }
  void merge(const longest& other) { add({other.characters.data(), other.size}); }
  text result() const { return text(std::string_view(characters.data(), size)); }
};

/// Numbers of rows by hour, and the sum of an expression: an array and a struct inside.
struct part {
  std::int64_t sum = 0;
  std::int32_t rows = 0;
};
struct by_hour {
  std::array<part, 24> hours{};

  void add(std::int32_t hour, std::int64_t value) {
    part& into = hours.at(static_cast<std::size_t>(hour));
    into.sum += value;
    ++into.rows;
  }
  void merge(const by_hour& other) {
    for (std::size_t i = 0; i < hours.size(); ++i) {
      hours[i].sum += other.hours[i].sum;
      hours[i].rows += other.hours[i].rows;
    }
  }
  std::int64_t result() const {  // of the hour with the most rows
    return std::max_element(hours.begin(), hours.end(), [](const part& a, const part& b) { return a.rows < b.rows; })
        ->sum;
  }
};

struct Measured {
  text key;
  timestamp ts;
  std::optional<double> value;
  std::int64_t weight;
};
struct Mean {
  text key;
  std::optional<double> mean;
};

auto means() {
  return from<Measured>("in") | group_by<"key"> |
         aggregate<Mean>(named<"mean"> = aggregated_by<geometric_mean>(field<"value">)) |
         into<output_mode::complete>("out");
}

struct ignored final : stage_outputs {
  result<void> emit(std::size_t, const block&) override { return {}; }
};

}  // namespace

TEST_CASE("an aggregate of the user takes the rows without a null, and may give null") {
  auto rows = results_of<Mean>(
      means(), std::vector<std::vector<Measured>>{{{text("a"), {0}, 2.0, 1}, {text("b"), {0}, std::nullopt, 1}},
                                                  {{text("a"), {0}, std::nullopt, 1}, {text("a"), {0}, 8.0, 1}}});
  std::sort(rows.begin(), rows.end(), [](const Mean& a, const Mean& b) { return a.key < b.key; });
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[0].mean.has_value());
  CHECK(std::abs(*rows[0].mean - 4) < 1e-12);
  CHECK(!rows[1].mean);
}

TEST_CASE("an aggregate of the user gets values of every type as its parameters say") {
  struct Verdict {
    text verdict;
  };
  const auto pipeline = from<Everything>("in") |
                        aggregate<Verdict>(named<"verdict"> = aggregated_by<noted>(
                                               field<"flag">, field<"small">, field<"natural">, field<"real">,
                                               field<"money">, field<"wide">, field<"paint">, field<"day">,
                                               field<"time">, field<"length">, field<"key">, field<"bytes">)) |
                        into<output_mode::complete>("out");
  const Everything row{text("abcdef"),
                       true,
                       -7,
                       ~std::uint64_t{0},
                       0.5f,
                       decimal<10, 2>("12.34"),
                       decimal<30, 2>("-1234567890123456789012345.67"),
                       colour::blue,
                       date{-1},
                       timestamp{-5},
                       3us,
                       binary{"xy"}};
  const auto rows = results_of<Verdict>(pipeline, std::vector<std::vector<Everything>>{{row}});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].verdict == text("right"));
}

TEST_CASE("an aggregate of the user gives values of every type") {
  struct Given {
    bool flag;
    std::int64_t small;
    std::uint64_t natural;
    double real;
    decimal<10, 2> money;
    decimal<38, 2> wide;
    colour paint;
    date day;
    timestamp time;
    duration length;
    text longest_key;
  };
  const auto pipeline = from<Everything>("in") |
                        aggregate<Given>(named<"flag"> = aggregated_by<latest<bool>>(field<"flag">),
                                         named<"small"> = aggregated_by<latest<std::int8_t>>(field<"small">),
                                         named<"natural"> = aggregated_by<latest<std::uint64_t>>(field<"natural">),
                                         named<"real"> = aggregated_by<latest<float>>(field<"real">),
                                         named<"money"> = aggregated_by<latest<decimal<10, 2>>>(field<"money">),
                                         named<"wide"> = aggregated_by<latest<decimal<30, 2>>>(field<"wide">),
                                         named<"paint"> = aggregated_by<latest<colour>>(field<"paint">),
                                         named<"day"> = aggregated_by<latest<date>>(field<"day">),
                                         named<"time"> = aggregated_by<latest<timestamp>>(field<"time">),
                                         named<"length"> = aggregated_by<latest<duration>>(field<"length">),
                                         named<"longest_key"> = aggregated_by<longest>(field<"key">)) |
                        into<output_mode::complete>("out");
  const Everything row{text("abcdefghijklmn"),
                       true,
                       -7,
                       ~std::uint64_t{0},
                       0.5f,
                       decimal<10, 2>("12.34"),
                       decimal<30, 2>("-1234567890123456789012345.67"),
                       colour::blue,
                       date{-1},
                       timestamp{-5},
                       3us,
                       binary{"xy"}};
  const auto rows = results_of<Given>(pipeline, std::vector<std::vector<Everything>>{{row}});
  REQUIRE(rows.size() == 1);
  const Given& got = rows[0];
  CHECK(got.flag);
  CHECK(got.small == -7);
  CHECK(got.natural == ~std::uint64_t{0});
  CHECK(got.real == 0.5);
  CHECK(got.money == row.money);
  CHECK(got.wide == decimal<38, 2>("-1234567890123456789012345.67"));
  CHECK(got.paint == colour::blue);
  CHECK(got.day == row.day);
  CHECK(got.time == row.time);
  CHECK(got.length == row.length);
  CHECK(got.longest_key == text("abcdefghijklmn"));
}

TEST_CASE("an enumerator that has no name is a result that does not fit") {
  struct outside {
    colour kept = colour::red;
    void add(std::int64_t) { kept = static_cast<colour>(40); }
    void merge(const outside&) {}
    colour result() const { return kept; }
  };
  struct Given {
    colour paint;
  };
  auto source = std::make_shared<memory_source<Measured>>();
  source->add({{text("a"), {0}, 1.0, 1}});
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.on_overflow = overflow_policy::fail;
  where.assets["in"].made_source = source;
  where.assets["out"].made_sink = std::make_shared<memory_sink<Given>>();
  const auto done =
      run(from<Measured>("in") | aggregate<Given>(named<"paint"> = aggregated_by<outside>(field<"weight">)) |
              into<output_mode::complete>("out"),
          where);
  CHECK(!done.ok());
}

TEST_CASE("an aggregate of the user without arguments sees every row, one with a constant gets it with every row") {
  struct number_of_rows {
    std::int64_t rows = 0;
    void add() { ++rows; }
    void merge(const number_of_rows& other) { rows += other.rows; }
    std::int64_t result() const { return rows; }
  };
  struct weighted {
    double sum = 0;
    void add(std::int64_t weight, double factor) { sum += static_cast<double>(weight) * factor; }
    void merge(const weighted& other) { sum += other.sum; }
    double result() const { return sum; }
  };
  struct Given {
    std::int64_t rows;
    double sum;
  };
  const auto rows =
      results_of<Given>(from<Measured>("in") |
                            aggregate<Given>(named<"rows"> = aggregated_by<number_of_rows>(),
                                             named<"sum"> = aggregated_by<weighted>(field<"weight">, 0.5)) |
                            into<output_mode::complete>("out"),
                        std::vector<std::vector<Measured>>{{{text("a"), {0}, {}, 1}, {text("b"), {0}, 1.0, 2}},
                                                           {{text("a"), {0}, {}, 4}}});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].rows == 3);
  CHECK(rows[0].sum == 3.5);
}

TEST_CASE("an aggregate of the user of several expressions is merged where sessions grow together") {
  struct Busy {
    text key;
    timestamp window_start;
    std::int64_t busiest;
  };
  const auto pipeline =
      from<Measured>("in") | watermark<"ts">(100s) | group_by<"key"> | session<"ts">(10s) |
      aggregate<Busy>(named<"busiest"> = aggregated_by<by_hour>(hour(field<"ts">), field<"weight"> * 10)) | into("out");
  const auto rows =
      results_of<Busy>(pipeline, std::vector<std::vector<Measured>>{{{text("a"), {0}, {}, 1}},
                                                                    {{text("a"), {18'000'000}, {}, 2}},
                                                                    {{text("a"), {9'000'000}, {}, 4}},
                                                                    {{text("z"), {1'000'000'000}, {}, 0}}});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].busiest == 70);
}

TEST_CASE("the schema of a state names the fields of an aggregate of the user, its version and its arguments") {
  struct Busy {
    std::int64_t busiest;
    std::optional<double> mean;
  };
  const auto made = lower(from<Measured>("in") |
                          aggregate<Busy>(named<"busiest"> = aggregated_by<by_hour>(hour(field<"ts">), field<"weight">),
                                          named<"mean"> = aggregated_by<geometric_mean>(field<"value"> * 2.0)) |
                          into<output_mode::complete>("out"));
  REQUIRE(made.ok());
  CHECK(
      made->nodes[1].state_schema ==
      "aggregate busiest = aggregated_by<by_hour>(hour(ts), weight) int64 {hours {sum int64, rows int32}[24]} of int32 "
      "of int64; aggregate mean = aggregated_by<geometric_mean>((value * 2.000000)) float64 {logarithms float64, count "
      "int64} of float64 optional");
}

TEST_CASE("a checkpoint is refused where the struct of an aggregate of the user has changed, or its version") {
  namespace files = std::filesystem;
  const files::path folder = files::temp_directory_path() / ("etlantic-user-" + std::to_string(getpid()));
  files::remove_all(folder);
  struct Given {
    std::int64_t total;
  };
  const auto run_with = [&]<class Aggregate>(std::type_identity<Aggregate>) {
    auto source = std::make_shared<memory_source<Measured>>();
    source->add({{text("a"), {0}, 1.0, 5}});
    source->add({{text("a"), {0}, 1.0, 7}});
    profile where;
    where.checkpoint = folder.string();
    where.trigger.kind = trigger_kind::available_now;
    where.assets["in"].made_source = source;
    where.assets["out"].made_sink = std::make_shared<memory_sink<Given>>();
    return run(from<Measured>("in") | aggregate<Given>(named<"total"> = aggregated_by<Aggregate>(field<"weight">)) |
                   into<output_mode::complete>("out"),
               where)
        .ok();
  };
  struct first_form {
    struct total {
      std::int64_t sum = 0;
      void add(std::int64_t value) { sum += value; }
      void merge(const total& other) { sum += other.sum; }
      std::int64_t result() const { return sum; }
    };
  };
  struct with_another_field {
    struct total {
      std::int64_t sum = 0, rows = 0;
      void add(std::int64_t value) { sum += value, ++rows; }
      void merge(const total& other) { sum += other.sum, rows += other.rows; }
      std::int64_t result() const { return sum; }
    };
  };
  struct with_another_name {
    struct total {
      std::int64_t weight = 0;
      void add(std::int64_t value) { weight += value; }
      void merge(const total& other) { weight += other.weight; }
      std::int64_t result() const { return weight; }
    };
  };
  CHECK(run_with(std::type_identity<first_form::total>{}));
  CHECK(run_with(std::type_identity<first_form::total>{}));
  CHECK(!run_with(std::type_identity<with_another_field::total>{}));
  CHECK(!run_with(std::type_identity<with_another_name::total>{}));
  CHECK(run_with(std::type_identity<first_form::total>{}));
  files::remove_all(folder);
}

TEST_CASE("the saved state of an aggregate of the user is the same when it is read again, and refused when cut short") {
  struct All {
    text key;
    std::optional<double> mean;
    std::int64_t busiest;
    text verdict;
  };
  const auto pipeline = from<Measured>("in") | group_by<"key"> |
                        aggregate<All>(named<"mean"> = aggregated_by<geometric_mean>(field<"value">),
                                       named<"busiest"> = aggregated_by<by_hour>(hour(field<"ts">), field<"weight">),
                                       named<"verdict"> = aggregated_by<longest>(field<"key">)) |
                        into<output_mode::complete>("out");
  const auto make = [&] {
    return lower_stage(etlantic::detail::as_port_stream(pipeline.chain), stage_place{output_mode::complete, "step"});
  };
  ignored nowhere;
  block rows(schema_of<Measured>());
  for (std::int64_t i = 0; i < 12; ++i) append_row(rows, Measured{text(i % 2 == 0 ? "a" : "b"), {i}, 0.5, i});
  auto work = make();
  work->begin({});
  REQUIRE(work->process(0, rows, nowhere).ok());
  state_writer saved;
  work->save(saved);
  const std::string whole(saved.bytes());
  for (std::size_t size = 0; size + sizeof(std::uint64_t) < whole.size(); ++size) {  // behind it are no told results
    state_reader from(std::string_view(whole).substr(0, size));
    REQUIRE(!make()->restore(from).ok());
  }
  auto again = make();
  state_reader from(whole);
  REQUIRE(again->restore(from).ok());
  state_writer saved_again;
  again->save(saved_again);
  CHECK(saved_again.bytes() == whole);
}
