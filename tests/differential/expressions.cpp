#include "support/catch.hpp"
#include "support/random_rows.hpp"

#include <etlantic/expression/operators.hpp>
#include <etlantic/kernel/bind.hpp>

#include <functional>
#include <optional>

// Every operator over random blocks against a row-by-row reference written with std::optional.

using namespace etlantic;
using random_rows::colour;
using random_rows::Row;

namespace {

using maybe_bool = std::optional<bool>;

// SQL's three-valued logic, from its truth tables.
maybe_bool both(maybe_bool a, maybe_bool b) {
  if ((a && !*a) || (b && !*b)) return false;
  if (a && b) return true;
  return std::nullopt;
}
maybe_bool either(maybe_bool a, maybe_bool b) {
  if ((a && *a) || (b && *b)) return true;
  if (a && b) return false;
  return std::nullopt;
}

// Spark's order of doubles: NaN is equal to itself and greater than everything else.
bool real_less(double a, double b) { return std::isnan(b) ? !std::isnan(a) : (!std::isnan(a) && a < b); }
bool real_equal(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

template <class Predicate>
void compare_predicate(const char* what, const Predicate& predicate,
                       const std::function<maybe_bool(const Row&)>& reference) {
  random_rows::generator random(42);
  auto bound = kernel::bind(predicate, contract_row<Row>{});
  for (std::size_t size : {1u, 7u, 63u, 64u, 65u, 127u, 128u, 1000u})
    for (bool all_null : {false, true}) {
      const std::vector<Row> rows = random.rows(size, all_null);
      const block columns = random_rows::as_block(rows);
      std::size_t differences = 0;
      for (std::size_t begin = 0; begin < size; begin += kernel::lane_count) {
        kernel::chunk at(columns, begin);
        const kernel::lanes<bool> got = bound.evaluate(at);
        for (std::size_t i = 0; i < at.count; ++i) {
          const maybe_bool expected = reference(rows[begin + i]);
          const bool valid = (got.valid >> i) & 1, value = (got.bits >> i) & 1;
          differences += valid != expected.has_value() || (valid && value != *expected);
        }
      }
      INFO(what << ", " << size << " rows" << (all_null ? ", all null" : ""));
      CHECK(differences == 0);
    }
}

template <class E, class Value>
void compare_values(const char* what, const E& expression,
                    const std::function<std::optional<Value>(const Row&)>& reference) {
  random_rows::generator random(7);
  auto bound = kernel::bind(expression, contract_row<Row>{});
  for (std::size_t size : {1u, 64u, 65u, 500u}) {
    const std::vector<Row> rows = random.rows(size);
    const block columns = random_rows::as_block(rows);
    std::size_t differences = 0;
    for (std::size_t begin = 0; begin < size; begin += kernel::lane_count) {
      kernel::chunk at(columns, begin);
      const auto got = bound.evaluate(at);
      for (std::size_t i = 0; i < at.count; ++i) {
        const std::optional<Value> expected = reference(rows[begin + i]);
        const bool valid = (got.valid >> i) & 1;
        if (valid != expected.has_value())
          ++differences;
        else if (valid) {
          if constexpr (std::is_same_v<Value, double>)
            differences += !real_equal(got.values[i], *expected);
          else
            differences += !(static_cast<Value>(got.values[i]) == *expected);
        }
      }
      CHECK(at.overflow == 0);
    }
    INFO(what << ", " << size << " rows");
    CHECK(differences == 0);
  }
}

template <class T, class Compare>
std::function<maybe_bool(const Row&)> over(std::optional<T> Row::* field, Compare compare) {
  return [=](const Row& row) -> maybe_bool {
    if (!(row.*field)) return std::nullopt;
    return compare(*(row.*field));
  };
}

}  // namespace

TEST_CASE("comparisons of integers agree with the reference") {
  compare_predicate("==", field<"id"> == 3, [](const Row& r) -> maybe_bool { return r.id == 3; });
  compare_predicate("!=", field<"id"> != 3, [](const Row& r) -> maybe_bool { return r.id != 3; });
  compare_predicate("<", field<"id"> < -2, [](const Row& r) -> maybe_bool { return r.id < -2; });
  compare_predicate("<=", field<"id"> <= 0, [](const Row& r) -> maybe_bool { return r.id <= 0; });
  compare_predicate(">", field<"id"> > 4, [](const Row& r) -> maybe_bool { return r.id > 4; });
  compare_predicate(">=", field<"id"> >= 4, [](const Row& r) -> maybe_bool { return r.id >= 4; });
  compare_predicate("constant first", 4 < field<"id">, [](const Row& r) -> maybe_bool { return 4 < r.id; });
  compare_predicate("int32", field<"small"> >= 3, [](const Row& r) -> maybe_bool { return r.small >= 3; });
  compare_predicate("two widths", field<"small"> < field<"id">,
                    [](const Row& r) -> maybe_bool { return r.small < r.id; });
  compare_predicate("nullable", field<"maybe"> > 1, over(&Row::maybe, [](std::int64_t v) { return v > 1; }));
  compare_predicate("two fields", field<"maybe"> <= field<"id">, [](const Row& r) -> maybe_bool {
    if (!r.maybe) return std::nullopt;
    return *r.maybe <= r.id;
  });
}

TEST_CASE("unsigned and signed integers compare by value, also beyond int64") {
  compare_predicate("uint64 > int64", field<"natural"> > field<"id">, [](const Row& r) -> maybe_bool {
    return r.id < 0 || r.natural > static_cast<std::uint64_t>(r.id);
  });
  compare_predicate("uint64 > constant", field<"natural"> > 50,
                    [](const Row& r) -> maybe_bool { return r.natural > 50; });
  compare_predicate("uint64 > negative", field<"natural"> > -1, [](const Row&) -> maybe_bool { return true; });
}

TEST_CASE("comparisons of decimals are exact") {
  compare_predicate("constant", field<"money"> > 5, [](const Row& r) -> maybe_bool { return r.money.scaled > 500; });
  compare_predicate("decimal constant", field<"money"> == decimal<4, 1>("2.5"),
                    [](const Row& r) -> maybe_bool { return r.money.scaled == 250; });
  compare_predicate("huge constant", field<"money"> < std::numeric_limits<std::int64_t>::max(),
                    [](const Row&) -> maybe_bool { return true; });
  compare_predicate("two scales", field<"wide"> < field<"money">, [](const Row& r) -> maybe_bool {
    if (!r.wide) return std::nullopt;
    return r.wide->scaled < int128{r.money.scaled} * 100;
  });
  compare_predicate("with an integer field", field<"money"> < field<"id">,
                    [](const Row& r) -> maybe_bool { return int128{r.money.scaled} < int128{r.id} * 100; });
}

TEST_CASE("comparisons of doubles order NaN last") {
  compare_predicate("==", field<"real"> == field<"maybe_real">, [](const Row& r) -> maybe_bool {
    if (!r.maybe_real) return std::nullopt;
    return real_equal(r.real, *r.maybe_real);
  });
  compare_predicate("<", field<"real"> < field<"maybe_real">, [](const Row& r) -> maybe_bool {
    if (!r.maybe_real) return std::nullopt;
    return real_less(r.real, *r.maybe_real);
  });
  compare_predicate(">=", field<"real"> >= 1.0, [](const Row& r) -> maybe_bool { return !real_less(r.real, 1.0); });
  compare_predicate("!=", field<"real"> != 0.0, [](const Row& r) -> maybe_bool { return !real_equal(r.real, 0.0); });
  compare_predicate("integer constant", field<"real"> > 2,
                    [](const Row& r) -> maybe_bool { return real_less(2.0, r.real); });
}

TEST_CASE("comparisons of text, enumerations, times and bools") {
  compare_predicate("text", field<"name"> < field<"maybe_name">, [](const Row& r) -> maybe_bool {
    if (!r.maybe_name) return std::nullopt;
    return r.name.value < r.maybe_name->value;
  });
  compare_predicate("text constant", field<"name"> == "thirteen char",
                    [](const Row& r) -> maybe_bool { return r.name.value == "thirteen char"; });
  compare_predicate("enum", field<"paint"> == colour::blue,
                    [](const Row& r) -> maybe_bool { return r.paint == colour::blue; });
  compare_predicate("time", field<"time"> < timestamp{5},
                    [](const Row& r) -> maybe_bool { return r.time.microseconds < 5; });
  compare_predicate("bools", field<"flag"> < field<"maybe_flag">, [](const Row& r) -> maybe_bool {
    if (!r.maybe_flag) return std::nullopt;
    return r.flag < *r.maybe_flag;
  });
  compare_predicate("bool constant", field<"maybe_flag"> == true, over(&Row::maybe_flag, [](bool v) { return v; }));
}

TEST_CASE("logic is three-valued") {
  const auto small = [](const Row& r) -> maybe_bool { return r.maybe ? maybe_bool(*r.maybe > 0) : std::nullopt; };
  const auto flag = [](const Row& r) -> maybe_bool { return r.maybe_flag; };
  compare_predicate("and", field<"maybe"> > 0 && field<"maybe_flag">,
                    [=](const Row& r) { return both(small(r), flag(r)); });
  compare_predicate("or", field<"maybe"> > 0 || field<"maybe_flag">,
                    [=](const Row& r) { return either(small(r), flag(r)); });
  compare_predicate("not", !field<"maybe_flag">, over(&Row::maybe_flag, [](bool v) { return !v; }));
  compare_predicate("is_null", is_null(field<"maybe">), [](const Row& r) -> maybe_bool { return !r.maybe; });
  compare_predicate("is_not_null", is_not_null(field<"maybe_name">),
                    [](const Row& r) -> maybe_bool { return r.maybe_name.has_value(); });
  compare_predicate("coalesce", coalesce(field<"maybe_flag">, field<"flag">),
                    [](const Row& r) -> maybe_bool { return r.maybe_flag.value_or(r.flag); });
}

TEST_CASE("arithmetic agrees with the reference") {
  using integer = std::optional<std::int64_t>;
  compare_values<decltype(field<"id"> + field<"small">), std::int64_t>(
      "+", field<"id"> + field<"small">, [](const Row& r) -> integer { return r.id + r.small; });
  compare_values<decltype(field<"maybe"> - 3), std::int64_t>("-", field<"maybe"> - 3, [](const Row& r) -> integer {
    if (!r.maybe) return std::nullopt;
    return *r.maybe - 3;
  });
  compare_values<decltype(field<"small"> * field<"small">), std::int64_t>(
      "*", field<"small"> * field<"small">, [](const Row& r) -> integer { return std::int64_t{r.small} * r.small; });
  compare_values<decltype(field<"id"> % field<"small">), std::int64_t>("%", field<"id"> % field<"small">,
                                                                       [](const Row& r) -> integer {
                                                                         if (r.small == 0) return std::nullopt;
                                                                         return r.id % r.small;
                                                                       });
  compare_values<decltype(field<"small"> / field<"id">), double>(
      "/", field<"small"> / field<"id">, [](const Row& r) -> std::optional<double> {
        if (r.id == 0) return std::nullopt;
        return static_cast<double>(r.small) / static_cast<double>(r.id);
      });
  compare_values<decltype(-field<"small">), std::int64_t>("negate", -field<"small">,
                                                          [](const Row& r) -> integer { return -r.small; });
  compare_values<decltype(field<"money"> + 1), int128>(
      "decimal + integer", field<"money"> + 1,
      [](const Row& r) -> std::optional<int128> { return int128{r.money.scaled} + 100; });
  compare_values<decltype(field<"wide"> - field<"money">), int128>(
      "decimals of two scales", field<"wide"> - field<"money">, [](const Row& r) -> std::optional<int128> {
        if (!r.wide) return std::nullopt;
        return r.wide->scaled - int128{r.money.scaled} * 100;
      });
  compare_values<decltype(field<"money"> * field<"small">), int128>(
      "decimal * int32", field<"money"> * field<"small">,
      [](const Row& r) -> std::optional<int128> { return int128{r.money.scaled} * r.small; });
  compare_values<decltype(field<"real"> * 2 + field<"maybe_real">), double>(
      "doubles", field<"real"> * 2 + field<"maybe_real">, [](const Row& r) -> std::optional<double> {
        if (!r.maybe_real) return std::nullopt;
        return r.real * 2 + *r.maybe_real;
      });
  compare_values<decltype(field<"time"> - field<"maybe_time">), std::int64_t>(
      "times", field<"time"> - field<"maybe_time">, [](const Row& r) -> integer {
        if (!r.maybe_time) return std::nullopt;
        return r.time.microseconds - r.maybe_time->microseconds;
      });
  compare_values<decltype(coalesce(field<"maybe">, field<"id">)), std::int64_t>(
      "coalesce", coalesce(field<"maybe">, field<"id">),
      [](const Row& r) -> integer { return r.maybe.value_or(r.id); });
}

TEST_CASE("an integer result that does not fit is reported for active rows only") {
  std::vector<Row> rows(70, Row{});
  rows[3].id = std::numeric_limits<std::int64_t>::max();
  rows[66].id = std::numeric_limits<std::int64_t>::min();
  const block columns = random_rows::as_block(rows);
  auto sum = kernel::bind(field<"id"> + field<"id">, contract_row<Row>{});
  kernel::chunk first(columns, 0), second(columns, 64), inactive(columns, 0);
  inactive.active &= ~(std::uint64_t{1} << 3);
  sum.evaluate(first);
  sum.evaluate(second);
  sum.evaluate(inactive);
  CHECK(first.overflow == std::uint64_t{1} << 3);
  CHECK(second.overflow == std::uint64_t{1} << 2);
  CHECK(inactive.overflow == 0);
}

TEST_CASE("vector comparisons agree with their scalar twins on extreme values") {
  std::mt19937_64 random(1);
  const auto compare = [&]<class Value>(Value) {
    Value left[kernel::lane_count], right[kernel::lane_count];
    for (int round = 0; round < 200; ++round) {
      for (std::size_t i = 0; i < kernel::lane_count; ++i) {
        const Value ends[] = {
            std::numeric_limits<Value>::min(),    std::numeric_limits<Value>::max(), Value{0}, Value{1},
            std::numeric_limits<Value>::lowest(), static_cast<Value>(random() % 5)};
        left[i] = ends[random() % 6];
        right[i] = ends[random() % 6];
        if constexpr (std::is_floating_point_v<Value>) {
          if (random() % 7 == 0) left[i] = std::numeric_limits<Value>::quiet_NaN();
          if (random() % 7 == 0) right[i] = std::numeric_limits<Value>::quiet_NaN();
        }
      }
      const auto same = [&]<operation Op>() {
        const Value* other = right;
        return kernel::compare_lanes<Op>(left, other) == kernel::compare_lanes_scalar<Op>(left, other) &&
               kernel::compare_lanes<Op>(left, right[0]) == kernel::compare_lanes_scalar<Op>(left, right[0]);
      };
      using enum operation;
      REQUIRE(same.template operator()<equal>());
      REQUIRE(same.template operator()<not_equal>());
      REQUIRE(same.template operator()<less>());
      REQUIRE(same.template operator()<less_equal>());
      REQUIRE(same.template operator()<greater>());
      REQUIRE(same.template operator()<greater_equal>());
    }
  };
  compare(std::int8_t{});
  compare(std::int16_t{});
  compare(std::int32_t{});
  compare(std::int64_t{});
  compare(std::uint8_t{});
  compare(std::uint16_t{});
  compare(std::uint32_t{});
  compare(std::uint64_t{});
  compare(float{});
  compare(double{});
}
