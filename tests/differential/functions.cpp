#include "support/catch.hpp"

#include <etlantic/column/rows.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/kernel/cast.hpp>
#include <etlantic/kernel/choices.hpp>
#include <etlantic/kernel/text_functions.hpp>
#include <etlantic/kernel/time_functions.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Functions in expressions over random rows against references in plain C++ that share no code with them, and over
// tables of values that were worked out by hand or are Spark's.

using namespace etlantic;
using std::optional;

namespace {

enum class colour { red, green, blue };

struct Row {
  std::int64_t id;
  optional<std::int64_t> maybe;
  std::int32_t small;
  std::uint64_t natural;
  double real;
  optional<double> maybe_real;
  decimal<10, 2> price;
  optional<decimal<38, 6>> wide;
  optional<text> name;
  text other;
  optional<timestamp> time;
  optional<date> day;
  date other_day;
  colour paint;
  bool flag;
  optional<bool> maybe_flag;
};

// ---- evaluation -----------------------------------------------------------------------------------------------------

template <class Value>
struct results {
  std::vector<optional<Value>> values;
  std::vector<bool> failed;
};

template <class Value>
auto owned(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string_view>)
    return std::string(value);
  else
    return value;
}

template <class C, class E>
auto evaluate(const E& expression, const std::vector<C>& rows) {
  block columns(schema_of<C>());
  for (const C& each : rows) append_row(columns, each);
  auto node = kernel::bind(expression, contract_row<C>{});
  using Value = decltype(owned(typename decltype(node)::value{}));
  results<Value> made;
  for (std::size_t begin = 0; begin < rows.size(); begin += kernel::lane_count) {
    kernel::chunk at(columns, begin);
    const auto got = node.evaluate(at);
    for (std::size_t i = 0; i < at.count; ++i) {
      const bool valid = (got.valid >> i) & 1;
      made.values.push_back(valid ? optional<Value>(owned(kernel::detail::lane_of(got, i))) : std::nullopt);
      made.failed.push_back((at.overflow >> i) & 1);
    }
  }
  CHECK((kernel::may_overflow<decltype(node)> ||
         std::find(made.failed.begin(), made.failed.end(), true) == made.failed.end()));
  return made;
}

/// Compares every value with that of the reference; nothing may fail.
template <class E, class Reference>
void agree(const char* what, const E& expression, const std::vector<Row>& rows, Reference reference) {
  const auto got = evaluate(expression, rows);
  std::size_t differences = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto expected = reference(rows[i]);
    bool same = got.values[i].has_value() == expected.has_value() && !got.failed[i];
    if (same && expected) {
      if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(*expected)>>)
        same = *got.values[i] == *expected || (std::isnan(*got.values[i]) && std::isnan(*expected));
      else
        same = *got.values[i] == *expected;
    }
    differences += !same;
  }
  INFO(what);
  CHECK(differences == 0);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

struct generator {
  std::mt19937_64 random{20240229};

  bool chance(std::uint64_t one_in) { return random() % one_in == 0; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  }
  template <class Value>
  optional<Value> or_null(Value value) {
    return chance(5) ? std::nullopt : optional<Value>(value);
  }
  std::string characters() {
    static const char* const pieces[] = {"a", "b", "A", "Z", "%",  "_", " ", "  ",
                                         "é", "€", "𝄞", "z", "ab", "{", "@", "["};
    std::string made;
    for (std::int64_t i = between(0, chance(10) ? 40 : 6); i > 0; --i) made += pieces[random() % std::size(pieces)];
    return made;
  }
  Row next() {
    Row made{};
    made.id = between(-20, 20);
    made.maybe = or_null(between(-20, 20));
    made.small = static_cast<std::int32_t>(between(-200, 200));
    made.natural = chance(4) ? std::numeric_limits<std::uint64_t>::max() - random() % 3 : random() % 40;
    made.real = chance(8) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(between(-9, 9)) / 4;
    made.maybe_real =
        or_null(chance(8) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(between(-9, 9)) / 4);
    made.price = decimal<10, 2>::from_scaled(chance(4) ? between(-9'999'999'999, 9'999'999'999) : between(-300, 300));
    int128 units = between(-1'000'000'000'000'000'000, 1'000'000'000'000'000'000);
    if (chance(2)) units = units * 10'000'000'000'000'000'000u + between(0, 999'999'999'999'999'999);
    if (chance(4)) units = between(-40, 40);
    made.wide = or_null(decimal<38, 6>::from_scaled(units));
    made.name = or_null(text(characters()));
    made.other = text(characters());
    // Years 1600 to 2300, and the moments around midnight and 1970.
    const std::int64_t microseconds = chance(4) ? between(-100'000, 100'000) * 86'400'000'000 + between(-1, 1)
                                                : between(-11'600'000'000'000'000, 10'400'000'000'000'000);
    made.time = or_null(timestamp{chance(9) ? between(-2, 2) : microseconds});
    made.day = or_null(date{static_cast<std::int32_t>(between(-800'000, 800'000))});
    made.other_day = date{static_cast<std::int32_t>(between(-1000, 1000))};
    made.paint = static_cast<colour>(random() % 3);
    made.flag = chance(2);
    made.maybe_flag = or_null(chance(2));
    return made;
  }
};

const std::vector<Row>& rows() {
  static const std::vector<Row> made = [] {
    generator random;
    std::vector<Row> all;
    for (int i = 0; i < 5'037; ++i) all.push_back(random.next());
    return all;
  }();
  return made;
}

/// The results for a table of inputs of one field `v`.
template <class T>
struct Cell {
  optional<T> v;
};
template <class T, class E>
auto table(const E& expression, const std::vector<optional<T>>& inputs) {
  std::vector<Cell<T>> cells;
  for (const auto& each : inputs) cells.push_back({each});
  return evaluate(expression, cells);
}

// ---- text by code points --------------------------------------------------------------------------------------------

std::vector<std::string> characters_of(const std::string& bytes) {
  std::vector<std::string> made;
  for (std::size_t i = 0; i < bytes.size(); i += made.back().size()) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    made.push_back(bytes.substr(i, lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4));
  }
  return made;
}

std::u32string decode(const std::string& bytes) {
  std::u32string made;
  for (const std::string& each : characters_of(bytes)) {
    char32_t code = 0;  // not the code point, but as good for comparing
    for (char byte : each) code = code << 8 | static_cast<unsigned char>(byte);
    made.push_back(code);
  }
  return made;
}

/// By recursion over code points.
bool is_like(std::u32string_view text, std::u32string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == U'%')
    return is_like(text, pattern.substr(1)) || (!text.empty() && is_like(text.substr(1), pattern));
  const bool escaped = pattern[0] == U'\\';
  if (escaped) pattern.remove_prefix(1);
  return !text.empty() && ((!escaped && pattern[0] == U'_') || pattern[0] == text[0]) &&
         is_like(text.substr(1), pattern.substr(1));
}

template <class Function>
auto of_name(Function function) {
  using made = decltype(function(std::string()));
  return [=](const Row& row) { return row.name ? optional<made>(function(row.name->value)) : std::nullopt; };
}

// ---- division with digits in a string -------------------------------------------------------------------------------

std::vector<int> digits_of(uint128 number) {
  std::vector<int> made;
  for (; number != 0; number /= 10) made.insert(made.begin(), static_cast<int>(number % 10));
  return made;
}

/// School division of (dividend followed by `zeros` zeros) by the divisor, a digit at a time, the rest kept as digits.
optional<int128> divide_by_hand(int128 dividend, int128 divisor, int zeros) {
  const bool negative = (dividend < 0) != (divisor < 0);
  std::vector<int> from = digits_of(static_cast<uint128>(dividend < 0 ? -dividend : dividend));
  from.insert(from.end(), static_cast<std::size_t>(zeros), 0);
  const auto by = static_cast<uint128>(divisor < 0 ? -divisor : divisor);
  uint128 quotient = 0, rest = 0;
  const auto add_to_rest = [&](uint128 more) {  // rest + more mod divisor, without leaving 128 bits
    if (rest >= by - more % by) {
      rest -= by - more % by;
      return more / by + 1;
    }
    rest += more % by;
    return more / by;
  };
  for (int digit : from) {
    uint128 carries = 0;
    const uint128 before = rest;
    for (int i = 0; i < 9; ++i) carries += add_to_rest(before);
    carries += add_to_rest(static_cast<uint128>(digit));
    if (__builtin_mul_overflow(quotient, uint128{10}, &quotient) ||
        __builtin_add_overflow(quotient, carries, &quotient))
      return {};
  }
  if (rest >= by - rest) ++quotient;
  if (quotient > static_cast<uint128>(int128_max)) return {};
  return negative ? -static_cast<int128>(quotient) : static_cast<int128>(quotient);
}

}  // namespace

// ---- choices --------------------------------------------------------------------------------------------------------

TEST_CASE("case_when takes the first condition that is true, and null is not") {
  agree("three texts",
        case_when(field<"maybe"> > 5, "large")
            .when(field<"maybe_flag">, field<"name">)
            .when(field<"id"> < 0, upper_ascii(field<"other">))
            .otherwise("rest"),
        rows(), [](const Row& r) -> optional<std::string> {
          if (r.maybe && *r.maybe > 5) return "large";
          if (r.maybe_flag && *r.maybe_flag) return r.name ? optional<std::string>(r.name->value) : std::nullopt;
          if (r.id >= 0) return "rest";
          std::string made = r.other.value;
          for (char& c : made)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
          return made;
        });
  agree("numbers of three types",
        case_when(field<"flag">, field<"price">).when(field<"maybe_flag">, field<"small">).otherwise(7), rows(),
        [](const Row& r) -> optional<int128> {
          if (r.flag) return r.price.scaled;
          return r.maybe_flag && *r.maybe_flag ? int128{r.small} * 100 : 700;
        });
  agree("bools, without otherwise",
        case_when(field<"maybe_flag">, field<"flag">).when(field<"id"> == 3, true).otherwise_null(), rows(),
        [](const Row& r) -> optional<bool> {
          if (r.maybe_flag && *r.maybe_flag) return r.flag;
          return r.id == 3 ? optional<bool>(true) : std::nullopt;
        });
}

TEST_CASE("only the value that case_when takes can fail") {
  const auto guarded = case_when(field<"v"> < 100, checked_cast<std::int8_t>(field<"v">))
                           .when(field<"v"> == 100, field<"v"> + std::numeric_limits<std::int64_t>::max())
                           .otherwise(-1);
  const auto got = table<std::int64_t>(guarded, {1, 99, 100, 101, 5'000, -129, std::nullopt});
  CHECK(got.values[0] == 1);
  CHECK(got.values[3] == -1);
  CHECK(got.values[4] == -1);
  CHECK(got.values[6] == -1);
  CHECK(got.failed == std::vector<bool>{false, false, true, false, false, true, false});
}

TEST_CASE("in compares with constants of other representations exactly") {
  agree("integers", in(field<"maybe">, 3, -4, 7), rows(), [](const Row& r) -> optional<bool> {
    return r.maybe ? optional<bool>(*r.maybe == 3 || *r.maybe == -4 || *r.maybe == 7) : std::nullopt;
  });
  agree("decimals",
        in(field<"price">, 2, decimal<3, 1>("1.5"), decimal<4, 3>("1.005"), std::numeric_limits<std::int64_t>::max()),
        rows(), [](const Row& r) -> optional<bool> { return r.price.scaled == 200 || r.price.scaled == 150; });
  agree("small", in(field<"small">, 5, 5 + (std::int64_t{1} << 32)), rows(),
        [](const Row& r) -> optional<bool> { return r.small == 5; });
  agree("unsigned", in(field<"natural">, -1, 3), rows(), [](const Row& r) -> optional<bool> { return r.natural == 3; });
  agree("text", in(field<"name">, "a", "", "ab"), rows(),
        of_name([](const std::string& s) { return s == "a" || s.empty() || s == "ab"; }));
  agree("real", in(field<"maybe_real">, 1, 0.25), rows(), [](const Row& r) -> optional<bool> {
    return r.maybe_real ? optional<bool>(*r.maybe_real == 1 || *r.maybe_real == 0.25) : std::nullopt;
  });
  agree("enumeration", in(field<"paint">, colour::blue, colour::red), rows(),
        [](const Row& r) -> optional<bool> { return r.paint != colour::green; });
}

TEST_CASE("between, null_if, greatest, least and abs") {
  agree("between", between(field<"maybe">, -3, field<"small">), rows(), [](const Row& r) -> optional<bool> {
    return r.maybe ? optional<bool>(*r.maybe >= -3 && *r.maybe <= r.small) : std::nullopt;
  });
  agree("null_if", null_if(field<"maybe">, field<"id">), rows(),
        [](const Row& r) { return r.maybe == r.id ? std::nullopt : r.maybe; });
  agree("null_if beside null", null_if(field<"id">, field<"maybe">), rows(),
        [](const Row& r) { return r.maybe == r.id ? std::nullopt : optional<std::int64_t>(r.id); });
  agree("null_if of bools", null_if(field<"flag">, field<"maybe_flag">), rows(),
        [](const Row& r) { return r.maybe_flag == r.flag ? std::nullopt : optional<bool>(r.flag); });
  agree("greatest", greatest(field<"maybe">, field<"small">, 0), rows(), [](const Row& r) -> optional<std::int64_t> {
    return std::max({r.maybe.value_or(-1000), std::int64_t{r.small}, std::int64_t{0}});
  });
  agree("least of texts", least(field<"name">, field<"other">), rows(), [](const Row& r) -> optional<std::string> {
    return r.name ? std::min(r.name->value, r.other.value,
                             [](const auto& a, const auto& b) { return std::string_view(a) < b; })
                  : r.other.value;
  });
  agree("greatest of reals", greatest(field<"real">, field<"maybe_real">), rows(),
        [](const Row& r) -> optional<double> {
          if (!r.maybe_real || std::isnan(r.real)) return r.real;
          return std::isnan(*r.maybe_real) ? *r.maybe_real : std::max(r.real, *r.maybe_real);
        });
  agree("least of reals", least(field<"real">, field<"maybe_real">), rows(), [](const Row& r) -> optional<double> {
    if (!r.maybe_real || std::isnan(*r.maybe_real)) return r.real;
    return std::isnan(r.real) ? *r.maybe_real : std::min(r.real, *r.maybe_real);
  });
  agree("least of bools", least(field<"maybe_flag">, field<"flag">), rows(),
        [](const Row& r) -> optional<bool> { return r.maybe_flag ? (*r.maybe_flag && r.flag) : r.flag; });
  agree("greatest of bools", greatest(field<"maybe_flag">, field<"flag">), rows(),
        [](const Row& r) -> optional<bool> { return r.maybe_flag.value_or(false) || r.flag; });
  agree("abs", abs(field<"maybe">), rows(),
        [](const Row& r) { return r.maybe ? optional<std::int64_t>(*r.maybe < 0 ? -*r.maybe : *r.maybe) : r.maybe; });
  agree("abs of decimals", abs(field<"price">), rows(),
        [](const Row& r) -> optional<std::int64_t> { return r.price.scaled < 0 ? -r.price.scaled : r.price.scaled; });
  agree("abs of reals", abs(field<"real">), rows(),
        [](const Row& r) -> optional<double> { return r.real < 0 ? -r.real : r.real; });
  const auto ends = table<std::int64_t>(abs(field<"v">), {std::numeric_limits<std::int64_t>::min(), -1, std::nullopt});
  CHECK(ends.failed == std::vector<bool>{true, false, false});
}

// ---- division of decimals -------------------------------------------------------------------------------------------

TEST_CASE("quotients of decimals have all their digits, rounded half away from zero") {
  agree("by an integer", field<"price"> / field<"small">, rows(), [](const Row& r) -> optional<int128> {  // scale 22
    if (r.small == 0) return std::nullopt;
    return divide_by_hand(r.price.scaled, r.small, 20);
  });
  agree("by a wide one", field<"price"> / field<"wide">, rows(), [](const Row& r) -> optional<int128> {  // (38, 24)
    if (!r.wide || r.wide->scaled == 0) return std::nullopt;
    return divide_by_hand(r.price.scaled, r.wide->scaled, 28);
  });
  const auto spark = table<decimal<10, 2>>(field<"v"> / decimal<5, 3>("0.030"),
                                           {decimal<10, 2>("1.00"), decimal<10, 2>("-0.01"), std::nullopt});
  CHECK(spark.values[0] == 3'333'333'333);  // decimal(19,8): 33.33333333
  CHECK(spark.values[1] == -33'333'333);
  CHECK(!spark.values[2]);
}

TEST_CASE("quotients are exact where the scaled dividend needs 256 bits") {
  std::mt19937_64 random(3);
  const auto number = [&] {
    uint128 made = (static_cast<uint128>(random()) << 64 | random()) % static_cast<uint128>(power_of_ten(38));
    made >>= random() % 127;
    return (random() % 2 ? 1 : -1) * static_cast<int128>(made);
  };
  std::size_t differences = 0, wide = 0, without = 0;
  for (int i = 0; i < 20'000; ++i) {
    const int128 dividend = number(), by = number(), divisor = by == 0 ? 1 : by;
    const int digits = static_cast<int>(random() % 39);
    const auto expected = divide_by_hand(dividend, divisor, digits);
    differences += divide_rounded(dividend, divisor, digits) != expected;
    int128 product = 0;
    wide += expected && __builtin_mul_overflow(dividend, power_of_ten(digits), &product);
    without += !expected;
  }
  CHECK(differences == 0);
  CHECK(wide > 1'000);
  CHECK(without > 1'000);
}

TEST_CASE("a quotient that does not fit makes its row invalid") {
  const auto got =
      table<decimal<38, 2>>(field<"v"> / decimal<38, 2>("0.01"),
                            {decimal<38, 2>("1.00"), decimal<38, 2>("999999999999999999999999999999999999.99")});
  CHECK(got.failed == std::vector<bool>{false, true});
  CHECK(got.values[0] == int128{100} * 1'000'000);
}

// ---- casts ----------------------------------------------------------------------------------------------------------

TEST_CASE("casts among numbers") {
  agree("to int8", try_cast<std::int8_t>(field<"small">), rows(), [](const Row& r) {
    return r.small < -128 || r.small > 127 ? std::nullopt : optional<std::int8_t>(static_cast<std::int8_t>(r.small));
  });
  agree("to int64", try_cast<std::int64_t>(field<"natural">), rows(), [](const Row& r) {
    return r.natural >> 63 ? std::nullopt : optional<std::int64_t>(static_cast<std::int64_t>(r.natural));
  });
  agree("to a shorter decimal", try_cast<decimal<4, 1>>(field<"price">), rows(),
        [](const Row& r) -> optional<std::int64_t> {
          const std::int64_t magnitude = r.price.scaled < 0 ? -r.price.scaled : r.price.scaled;
          const std::int64_t rounded_up = (magnitude + 5) / 10;
          if (rounded_up > 9'999) return std::nullopt;
          return r.price.scaled < 0 ? -rounded_up : rounded_up;
        });
  agree("to a longer decimal", cast<decimal<20, 6>>(field<"price">), rows(),
        [](const Row& r) -> optional<int128> { return int128{r.price.scaled} * 10'000; });
  agree("to float64", cast<double>(field<"price">), rows(),
        [](const Row& r) -> optional<double> { return static_cast<double>(r.price.scaled) / 100; });
  agree("wide to float64", cast<double>(field<"wide">), rows(), [](const Row& r) -> optional<double> {
    if (!r.wide) return std::nullopt;
    return std::strtod(format_decimal(r.wide->scaled, 6).c_str(), nullptr);
  });
  agree("bool", cast<std::int32_t>(field<"maybe_flag">), rows(), [](const Row& r) -> optional<std::int32_t> {
    return r.maybe_flag ? optional<std::int32_t>(*r.maybe_flag ? 1 : 0) : std::nullopt;
  });

  using strings = std::vector<optional<std::int64_t>>;
  const auto as_integer = [](const auto& got) {
    strings made;
    for (const auto& each : got.values)
      made.push_back(each ? optional<std::int64_t>(static_cast<std::int64_t>(*each)) : std::nullopt);
    return made;
  };
  const auto none = std::nullopt;
  const double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(as_integer(table<double>(try_cast<std::int32_t>(field<"v">), {2.9, -2.9, 2147483647.5, 2147483648.0,
                                                                      -2147483648.9, -2147483649.0, nan, infinite})) ==
        strings{2, -2, 2147483647, none, -2147483648, none, none, none});
  CHECK(as_integer(table<double>(try_cast<std::int64_t>(field<"v">),
                                 {9223372036854774784.0, 9223372036854775808.0, -9223372036854775808.0, -infinite})) ==
        strings{9223372036854774784, none, std::numeric_limits<std::int64_t>::min(), none});
  CHECK(as_integer(table<double>(try_cast<std::uint8_t>(field<"v">), {-0.9, -1.0, 255.9, 256.0})) ==
        strings{0, none, 255, none});
  CHECK(as_integer(table<decimal<6, 2>>(cast<std::int32_t>(field<"v">),
                                        {decimal<6, 2>("2.99"), decimal<6, 2>("-2.99")})) == strings{2, -2});
  // The shortest digits count, as Spark takes them: 1.005 is not 1.00499999999999989.
  CHECK(as_integer(table<double>(try_cast<decimal<5, 2>>(field<"v">),
                                 {1.005, -1.005, 2.675, 0.1 + 0.2, 999.994, 999.995, 1e300, nan})) ==
        strings{101, -101, 268, 30, 99'999, none, none, none});
  const auto floats = table<double>(try_cast<float>(field<"v">), {1e39, 0.1, nan, infinite, none});
  CHECK(!floats.values[0]);
  CHECK(floats.values[1] == 0.1f);
  CHECK(std::isnan(*floats.values[2]));
  CHECK(std::isinf(*floats.values[3]));
}

TEST_CASE("DC-01, DC-03, DC-06: text to decimals as JSON's numbers, rounded half away from zero") {
  const auto got =
      table<text>(try_cast<decimal<10, 2>>(field<"v">),
                  {"12.345",       "-12.345",      "12.335", "1.005",  "0.005",    "0.004999", "1e1",  "-1e3",
                   "12345678.999", "99999999.995", "",       " 12.30", "1,234.50", "+5",       "0x1F", "NaN",
                   "12.30.1",      "１２",         "01",     "-",      ".5",       "5."});
  const std::vector<optional<std::int64_t>> expected = {1235, -1235, 1234,     101,           1,
                                                        0,    1000,  -100'000, 1'234'567'900, std::nullopt};
  for (std::size_t i = 0; i < got.values.size(); ++i) {
    INFO(i);
    CHECK(got.values[i] == (i < expected.size() ? expected[i] : std::nullopt));
  }
}

TEST_CASE("text to integers, reals, bools and enumerations") {
  const auto integers = table<text>(try_cast<std::int8_t>(field<"v">),
                                    {"-128", "127", "128", "1.0", "1e1", "-0", "abc", " 1", std::nullopt});
  CHECK(integers.values == std::vector<optional<std::int8_t>>{-128, 127, {}, {}, {}, 0, {}, {}, {}});
  const auto reals = table<text>(try_cast<double>(field<"v">), {"0.1", "1e400", "1e-400", "Infinity", "-2"});
  CHECK(reals.values == std::vector<optional<double>>{0.1, {}, 0.0, {}, -2.0});
  const auto bools = table<text>(try_cast<bool>(field<"v">), {"true", "false", "TRUE", "1"});
  CHECK(bools.values == std::vector<optional<bool>>{true, false, {}, {}});
  const auto colours = table<text>(try_cast<colour>(field<"v">), {"blue", "red", "Blue", "3"});
  CHECK(colours.values == std::vector<optional<std::int8_t>>{2, 0, {}, {}});
}

TEST_CASE("TS-01, TS-03, TS-07, TS-09, TS-12: text to timestamps and dates") {
  const auto times = table<text>(try_cast<timestamp>(field<"v">),
                                 {"2015-03-18T12:03:17.123456789+00:00", "2000-02-29T00:00:00Z",
                                  "1969-12-31T23:59:59.999999Z", "2018-02-14T00:28:07.Z", "1998-12-31T23:59:60Z",
                                  "2015-02-29T00:00:00Z", "2015-03-18", " 2015-03-18 12:03:17 ", "1700000000"});
  CHECK(times.values ==
        std::vector<optional<std::int64_t>>{1426680197123456, 951782400000000, -1, {}, {}, {}, {}, {}, {}});
  const auto days = table<text>(try_cast<date>(field<"v">),
                                {"1970-01-02", "1969-12-31", "2015-02-29", "2015-3-1", "2015-03-01T00:00:00Z"});
  CHECK(days.values == std::vector<optional<std::int32_t>>{1, -1, {}, {}, {}});
  const auto checked_days = table<text>(checked_cast<date>(field<"v">), {"1970-01-02", "no day", std::nullopt});
  CHECK(checked_days.failed == std::vector<bool>{false, true, false});
  CHECK(!checked_days.values[2]);
}

TEST_CASE("values to text, as the sinks write them") {
  const auto texts = [](const auto& got) {
    std::vector<std::string> made;
    for (const auto& each : got.values) made.push_back(each.value_or("null"));
    return made;
  };
  using strings = std::vector<std::string>;
  CHECK(texts(table<std::int64_t>(cast<text>(field<"v">),
                                  {-7, std::numeric_limits<std::int64_t>::min(), std::nullopt})) ==
        strings{"-7", "-9223372036854775808", "null"});
  CHECK(texts(table<double>(cast<text>(field<"v">), {0.1, -0.0, 1e300, std::numeric_limits<double>::quiet_NaN()})) ==
        strings{"0.1", "-0.0", "1e+300", "NaN"});
  CHECK(texts(table<decimal<5, 2>>(cast<text>(field<"v">), {decimal<5, 2>("-0.05"), decimal<5, 2>("12")})) ==
        strings{"-0.05", "12.00"});
  CHECK(texts(table<timestamp>(cast<text>(field<"v">), {timestamp{-1}, timestamp{0}})) ==
        strings{"1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z"});
  CHECK(texts(table<date>(cast<text>(field<"v">), {date{-1}, date{19'782}})) == strings{"1969-12-31", "2024-02-29"});
  CHECK(texts(table<duration>(cast<text>(field<"v">), {duration{-5}})) == strings{"-5"});
  CHECK(texts(table<colour>(cast<text>(field<"v">), {colour::green})) == strings{"green"});
  CHECK(texts(table<bool>(cast<text>(field<"v">), {true, false})) == strings{"true", "false"});
  agree("and back", try_cast<decimal<38, 6>>(cast<text>(field<"wide">)), rows(),
        [](const Row& r) { return r.wide ? optional<int128>(r.wide->scaled) : std::nullopt; });
}

// ---- text -----------------------------------------------------------------------------------------------------------

TEST_CASE("text functions agree with code over code points") {
  agree("length", length(field<"name">), rows(),
        of_name([](const std::string& s) { return static_cast<std::int32_t>(decode(s).size()); }));
  agree("substring", substring(field<"name">, field<"id">, coalesce(field<"small"> % 9, 0)), rows(),
        [](const Row& r) -> optional<std::string> {
          if (!r.name) return std::nullopt;
          const std::vector<std::string> all = characters_of(r.name->value);
          const auto size = static_cast<std::int64_t>(all.size());
          const std::int64_t from = r.id > 0 ? r.id - 1 : r.id < 0 ? size + r.id : 0;
          std::string made;
          for (std::int64_t i = from; i < from + r.small % 9; ++i)
            if (i >= 0 && i < size) made += all[static_cast<std::size_t>(i)];
          return made;
        });
  agree("lower", lower_ascii(field<"name">), rows(), of_name([](std::string s) {
          for (char& c : s)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
          return s;
        }));
  const auto left = [](std::string s) {
    while (!s.empty() && s.front() == ' ') s.erase(0, 1);
    return s;
  };
  const auto right = [](std::string s) {
    while (!s.empty() && s.back() == ' ') s.pop_back();
    return s;
  };
  agree("ltrim", ltrim(field<"name">), rows(), of_name(left));
  agree("rtrim", rtrim(field<"name">), rows(), of_name(right));
  agree("trim", trim(field<"name">), rows(), of_name([=](const std::string& s) { return left(right(s)); }));
  agree("concat", concat(upper_ascii(field<"name">), "|", cast<text>(field<"id">), "|", field<"other">), rows(),
        [](const Row& r) -> optional<std::string> {
          if (!r.name) return std::nullopt;
          std::string made = r.name->value;
          for (char& c : made)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
          return made + "|" + std::to_string(r.id) + "|" + r.other.value;
        });
  agree("contains", contains(field<"name">, "ab"), rows(),
        of_name([](const std::string& s) { return s.find("ab") != s.npos; }));
  agree("contains a field", contains(field<"name">, field<"other">), rows(), [](const Row& r) {
    return r.name ? optional<bool>(r.name->value.find(r.other.value) != std::string::npos) : std::nullopt;
  });
  agree("starts_with", starts_with(field<"name">, "a"), rows(),
        of_name([](const std::string& s) { return s.rfind("a", 0) == 0; }));
  agree("ends_with", ends_with(field<"name">, "é"), rows(),
        of_name([](const std::string& s) { return s.size() >= 2 && s.substr(s.size() - 2) == "é"; }));
}

/// Byte by byte, all parts into a list.
static std::vector<std::string> split(const std::string& of, const std::string& separator) {
  std::vector<std::string> parts(1);
  for (std::size_t at = 0; at < of.size();) {
    if (!separator.empty() && of.compare(at, separator.size(), separator) == 0) {
      parts.emplace_back();
      at += separator.size();
    } else
      parts.back() += of[at++];
  }
  return parts;
}
static std::string split_part_of(const std::string& of, const std::string& separator, std::int64_t part) {
  std::vector<std::string> parts = split(of, separator);
  if (part < 0) std::reverse(parts.begin(), parts.end());
  const auto place = static_cast<std::size_t>(part < 0 ? -part : part);
  return place <= parts.size() ? parts[place - 1] : "";
}

TEST_CASE("split_part agrees with a list of all parts") {
  for (const char* separator : {"a", "ab", " ", "  ", "é", ""})
    for (const std::int64_t part : {1, 2, 3, 7, -1, -2, -5})
      agree(separator, split_part(field<"name">, separator, part), rows(),
            of_name([=](const std::string& s) { return split_part_of(s, separator, part); }));
  agree("separator and part of fields", split_part(field<"name">, field<"other">, coalesce(null_if(field<"id">, 0), 2)),
        rows(), [](const Row& r) -> optional<std::string> {
          if (!r.name) return std::nullopt;
          return split_part_of(r.name->value, r.other.value, r.id == 0 ? 2 : r.id);
        });
  // What Databricks' manual says of split_part.
  const auto of = [](const char* text, const char* separator, std::int64_t part) {
    return *table<etlantic::text>(split_part(field<"v">, separator, part), {text}).values[0];
  };
  CHECK(of("Hello,world,!", ",", 1) == "Hello");
  CHECK(of("Hello,world,!", ",", 2) == "world");
  CHECK(of("Hello,world,!", ",", 100).empty());
  CHECK(of("Hello,world,!", ",", -2) == "world");
  CHECK(of("Hello,world,!", ",", -100).empty());
  CHECK(of("", ",", 1).empty());
  CHECK(of("Hello", "", 1) == "Hello");
  CHECK(of("Hello", "", 3).empty());
  CHECK_THROWS(split_part(field<"v">, ",", 0));
  const auto computed =
      table<std::int64_t>(split_part(cast<text>(field<"v">), "0", field<"v">), {0, 101, std::nullopt});
  CHECK(computed.failed == std::vector<bool>{true, false, false});
  CHECK(computed.values[1] == "");
  CHECK_FALSE(computed.values[2]);
}

TEST_CASE("like agrees with a matcher by recursion") {
  for (const char* pattern :
       {"",       "%",  "_",   "a",     "a%",    "%a",   "%a%",   "a%b",   "_%",    "%_",    "__",  "%__%", "a_%b",
        "%ab%é%", "%é", "_é%", "%_b_%", "%%a%%", "\\%%", "%\\_%", "%\\%_", "a%a%a", "%a_b%", "€%_", "%𝄞_%"})
    agree(pattern, like(field<"name">, pattern), rows(),
          of_name([=](const std::string& s) { return is_like(decode(s), decode(pattern)); }));
  CHECK(table<text>(like(field<"v">, "10!%", '!'), {"10%", "10x"}).values == std::vector<optional<bool>>{true, false});
  CHECK(table<text>(like(field<"v">, "a\\\\b"), {"a\\b", "a\\\\b"}).values == std::vector<optional<bool>>{true, false});
  CHECK_THROWS(like(field<"v">, "a\\b"));
  CHECK_THROWS(like(field<"v">, "a\\"));
}

TEST_CASE("texts that are made stay until their morsel was looked at") {
  block columns(schema_of<Row>());
  for (const Row& each : rows()) append_row(columns, each);
  auto node =
      kernel::bind(upper_ascii(concat(field<"other">, "long enough not to stand in a view")), contract_row<Row>{});
  const auto upper = evaluate(upper_ascii(field<"other">), rows());
  for (std::size_t begin = 0; begin < rows().size(); begin += kernel::morsel_rows) {
    kernel::row_collector<decltype(node)> collector;
    const std::size_t end = std::min(begin + kernel::morsel_rows, rows().size());
    for (std::size_t at = begin; at < end; at += kernel::lane_count) {
      kernel::chunk chunk(columns, at);
      collector.collect(node, chunk, (at - begin) / kernel::lane_count);
    }
    std::size_t differences = 0;
    for (std::size_t row = begin; row < end; ++row)
      differences += collector.values().at(row - begin) != *upper.values[row] + "LONG ENOUGH NOT TO STAND IN A VIEW";
    CHECK(differences == 0);
  }
}

TEST_CASE("texts of a block that is gone are not looked at") {
  auto node = kernel::bind(
      in(coalesce(null_if(field<"name">, "x"), field<"other">), "a text that stands in no view, of 40 bytes") ||
          field<"name"> == field<"other">,
      contract_row<Row>{});
  for (std::size_t size : {200u, 3u}) {
    Row row = rows().front();
    row.name = row.other = text("a text that stands in no view, of 40 bytes");
    block columns(schema_of<Row>());
    for (std::size_t i = 0; i < size; ++i) append_row(columns, row);
    for (std::size_t begin = 0; begin < size; begin += kernel::lane_count) {
      kernel::chunk at(columns, begin);
      const auto got = node.evaluate(at);
      CHECK((got.bits & got.valid & at.active) == at.active);
    }
  }
}

// ---- days and times -------------------------------------------------------------------------------------------------

TEST_CASE("parts of times are those of the standard library's calendar, also before 1970") {
  using namespace std::chrono;
  const auto of_time = [](auto function) {
    using made = decltype(function(sys_time<microseconds>{}));
    return [=](const Row& r) {
      return r.time ? optional<made>(function(sys_time<microseconds>(microseconds(r.time->microseconds))))
                    : std::nullopt;
    };
  };
  const auto ymd = [](auto t) { return year_month_day(floor<days>(t)); };
  const auto of = [](auto t) { return static_cast<std::int32_t>(t); };
  agree("year", etlantic::year(field<"time">), rows(),
        of_time([=](auto t) { return of(static_cast<int>(ymd(t).year())); }));
  agree("month", etlantic::month(field<"time">), rows(),
        of_time([=](auto t) { return of(static_cast<unsigned>(ymd(t).month())); }));
  agree("day", etlantic::day(field<"time">), rows(),
        of_time([=](auto t) { return of(static_cast<unsigned>(ymd(t).day())); }));
  agree("day_of_week", day_of_week(field<"time">), rows(),
        of_time([=](auto t) { return of(weekday(floor<days>(t)).iso_encoding()); }));
  agree("day_of_year", day_of_year(field<"time">), rows(),
        of_time([=](auto t) { return of((floor<days>(t) - sys_days(ymd(t).year() / January / 1)).count() + 1); }));
  agree("hour", hour(field<"time">), rows(),
        of_time([=](auto t) { return of(hh_mm_ss(t - floor<days>(t)).hours().count()); }));
  agree("minute", minute(field<"time">), rows(),
        of_time([=](auto t) { return of(hh_mm_ss(t - floor<days>(t)).minutes().count()); }));
  agree("second", second(field<"time">), rows(),
        of_time([=](auto t) { return of(hh_mm_ss(t - floor<days>(t)).seconds().count()); }));
  agree("unix_seconds", unix_seconds(field<"time">), rows(),
        of_time([](auto t) { return static_cast<std::int64_t>(floor<seconds>(t).time_since_epoch().count()); }));
  agree("date_of", date_of(field<"time">), rows(),
        of_time([=](auto t) { return of(floor<days>(t).time_since_epoch().count()); }));
  const auto begin = [](auto t) {
    return static_cast<std::int64_t>(sys_time<microseconds>(t).time_since_epoch().count());
  };
  agree("to minute", truncate_to<minutes>(field<"time">), rows(),
        of_time([=](auto t) { return begin(floor<minutes>(t)); }));
  agree("to hour", truncate_to<hours>(field<"time">), rows(), of_time([=](auto t) { return begin(floor<hours>(t)); }));
  agree("to day", truncate_to<days>(field<"time">), rows(), of_time([=](auto t) { return begin(floor<days>(t)); }));
  agree("to week", truncate_to<weeks>(field<"time">), rows(),
        of_time([=](auto t) { return begin(floor<days>(t) - (weekday(floor<days>(t)) - Monday)); }));
  agree("to month", truncate_to<months>(field<"time">), rows(),
        of_time([=](auto t) { return begin(sys_days(ymd(t).year() / ymd(t).month() / 1)); }));
  agree("to year", truncate_to<years>(field<"time">), rows(),
        of_time([=](auto t) { return begin(sys_days(ymd(t).year() / January / 1)); }));
}

TEST_CASE("dates move by days and lie days apart") {
  agree("add_days", add_days(field<"day">, field<"small">), rows(),
        [](const Row& r) { return r.day ? optional<std::int32_t>(r.day->days + r.small) : std::nullopt; });
  agree("days_between", days_between(field<"day">, field<"other_day">), rows(),
        [](const Row& r) { return r.day ? optional<std::int64_t>(r.other_day.days - r.day->days) : std::nullopt; });
  agree("year", year(field<"other_day">), rows(), [](const Row& r) -> optional<std::int32_t> {
    using namespace std::chrono;
    return static_cast<int>(year_month_day(sys_days(days(r.other_day.days))).year());
  });
  agree("timestamp_of", timestamp_of(field<"other_day">), rows(),
        [](const Row& r) -> optional<std::int64_t> { return r.other_day.days * std::int64_t{86'400'000'000}; });
  constexpr std::int32_t last = std::numeric_limits<std::int32_t>::max();
  const auto later = table<date>(add_days(field<"v">, 1), {date{last - 1}, date{last}, std::nullopt});
  CHECK(later.failed == std::vector<bool>{false, true, false});
  CHECK(table<date>(timestamp_of(field<"v">), {date{last}, date{0}}).failed == std::vector<bool>{true, false});
  CHECK(table<date>(add_days(field<"v">, std::int64_t{1} << 40), {date{0}}).failed == std::vector<bool>{true});
}
