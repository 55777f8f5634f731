#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/operators.hpp>

#include <chrono>
#include <cstdint>
#include <type_traits>

namespace etlantic {
namespace {

using namespace std::chrono_literals;

enum class status { paid, open };
enum class other_status { paid };
struct nested {
  int a;
};
struct Row {
  bool flag;
  std::optional<bool> maybe_flag;
  std::int8_t i8;
  std::int32_t i32;
  std::int64_t i64;
  std::uint64_t u64;
  std::optional<std::int32_t> maybe_int;
  float real32;
  double real64;
  decimal<10, 2> price;
  decimal<5, 3> rate;
  std::optional<decimal<10, 2>> maybe_price;
  decimal<38, 2> widest;
  text name;
  binary bytes;
  date day;
  timestamp time;
  std::optional<timestamp> maybe_time;
  duration length;
  status state;
  nested part;
  std::vector<int> list;
  checked<std::int64_t, gt<0>, named_as<"x">> constrained;
};
using row = contract_row<Row>;

template <class Expected, class E>
constexpr bool gives(const E&) {
  return std::is_same_v<inferred<E, row>, Expected>;
}

// ---- fields and constants -------------------------------------------------------------------------------------------
static_assert(gives<typed<std::int8_t>>(field<"i8">));
static_assert(gives<typed<std::int32_t, true>>(field<"maybe_int">));
static_assert(gives<typed<std::int64_t>>(field<"constrained">));
static_assert(
    gives<fail<rule::field_must_exist, type<Row>, called<"nmae">, did_you_mean<called<"name">>>>(field<"nmae">));
static_assert(gives<fail<rule::field_must_exist, type<Row>, called<"zzzzzzzz">, nothing_similar>>(field<"zzzzzzzz">));
static_assert(std::is_same_v<inferred<literal<std::int64_t>, row>, typed<std::int64_t>>);
static_assert(std::is_same_v<inferred<literal<std::string_view>, row>, typed<text>>);
static_assert(std::is_same_v<expression_of<int>, literal<std::int64_t>> &&
              std::is_same_v<expression_of<bool>, literal<bool>>);
static_assert(std::is_same_v<expression_of<float>, literal<double>>);
static_assert(std::is_same_v<expression_of<std::chrono::hours>, literal<duration>>);
static_assert(std::is_same_v<expression_of<char[5]>, literal<std::string_view>>);

// ---- arithmetic -----------------------------------------------------------------------------------------------------
template <operation Op, class L, class R = void>
using undefined = fail<rule::arithmetic_must_be_defined, called<fixed<[] { return name_of(Op); }>()>, type<L>, type<R>>;

// Integers of any width give int64; their quotient is a float64 that is null where the divisor is zero.
static_assert(gives<typed<std::int64_t>>(field<"i8"> + field<"i32">));
static_assert(gives<typed<std::int64_t>>(field<"i64"> * 3) && gives<typed<std::int64_t>>(7 - field<"u64">));
static_assert(gives<typed<double, true>>(field<"i64"> / field<"i32">) && gives<typed<double, true>>(field<"i64"> / 2));
static_assert(gives<typed<std::int64_t, true>>(field<"i64"> % 10));
static_assert(gives<typed<std::int64_t, true>>(field<"maybe_int"> + 1));
static_assert(gives<typed<std::int64_t>>(-field<"i8">) && gives<typed<std::int64_t, true>>(-field<"maybe_int">));
static_assert(gives<typed<decimal<10, 2>>>(-field<"price">) && gives<typed<duration>>(-field<"length">));

static_assert(gives<typed<double>>(field<"real32"> + field<"real32">) &&
              gives<typed<double>>(field<"real64"> * field<"i8">));
static_assert(gives<typed<double, true>>(field<"real64"> / 2));
static_assert(gives<undefined<operation::remainder, double, std::int64_t>>(field<"real64"> % 2));

// Spark's rules: p = max(p1-s1, p2-s2) + max(s1, s2) + 1 for sums, p1 + p2 + 1 and s1 + s2 for products.
static_assert(gives<typed<decimal<12, 3>>>(field<"price"> + field<"rate">));
static_assert(gives<typed<decimal<11, 2>>>(field<"price"> - field<"price">));
static_assert(gives<typed<decimal<16, 5>>>(field<"price"> * field<"rate">));
static_assert(gives<typed<decimal<11, 2>, true>>(field<"price"> + field<"maybe_price">));
// An integer counts as 19 digits.
static_assert(gives<typed<decimal<22, 2>>>(field<"price"> + field<"i8">));
static_assert(gives<typed<decimal<30, 2>>>(field<"price"> * 2));
// Quotients: s = max(6, s1 + p2 + 1), p = p1 - s1 + s2 + s; beyond 38 digits the scale gives way, down to 6 (Spark's
// allowPrecisionLoss).
static_assert(gives<typed<decimal<19, 8>, true>>(field<"price"> / field<"rate">));
static_assert(gives<typed<decimal<18, 14>, true>>(field<"rate"> / field<"price">));
static_assert(gives<typed<decimal<38, 6>, true>>(field<"widest"> / field<"price">));
static_assert(gives<typed<decimal<30, 22>, true>>(field<"price"> / field<"i8">));
static_assert(gives<typed<decimal<28, 6>, true>>(field<"i64"> / field<"rate">));
static_assert(gives<undefined<operation::divide, decimal<10, 2>, double>>(field<"price"> / field<"real64">));
static_assert(gives<undefined<operation::multiply, decimal<10, 2>, double>>(field<"price"> * field<"real64">));
static_assert(gives<fail<rule::decimal_must_fit_38_digits, called<"+">, type<decimal<38, 2>>, type<decimal<10, 2>>,
                         digits_needed<39>>>(field<"widest"> + field<"price">));
static_assert(gives<fail<rule::decimal_must_fit_38_digits, called<"*">, type<decimal<38, 2>>, type<decimal<10, 2>>,
                         digits_needed<49>>>(field<"widest"> * field<"price">));

static_assert(gives<typed<timestamp>>(field<"time"> + field<"length">) &&
              gives<typed<timestamp>>(field<"length"> + field<"time">));
static_assert(gives<typed<timestamp>>(field<"time"> - 5min) && gives<typed<duration>>(field<"time"> - field<"time">));
static_assert(gives<typed<duration, true>>(field<"maybe_time"> - field<"time">));
static_assert(gives<typed<duration>>(field<"length"> - field<"length">));
static_assert(gives<undefined<operation::add, timestamp, timestamp>>(field<"time"> + field<"time">));
static_assert(gives<undefined<operation::subtract, duration, timestamp>>(field<"length"> - field<"time">));
static_assert(gives<undefined<operation::multiply, duration, std::int64_t>>(field<"length"> * 2));
static_assert(gives<undefined<operation::add, text, text>>(field<"name"> + field<"name">));
static_assert(gives<undefined<operation::add, bool, std::int64_t>>(field<"flag"> + 1));
static_assert(gives<fail<rule::arithmetic_must_be_defined, called<"-">, type<text>>>(-field<"name">));

// ---- comparison -----------------------------------------------------------------------------------------------------
static_assert(gives<typed<bool>>(field<"i8"> == field<"u64">) && gives<typed<bool>>(field<"i8"> < field<"price">));
static_assert(gives<typed<bool>>(field<"price"> >= 10) && gives<typed<bool>>(field<"price"> != field<"rate">));
static_assert(gives<typed<bool>>(field<"real32"> < field<"real64">) && gives<typed<bool>>(field<"real64"> > 10));
static_assert(gives<typed<bool>>(10 > field<"real64">));
static_assert(gives<typed<bool, true>>(field<"maybe_int"> == 1));
static_assert(gives<typed<bool, true>>(field<"time"> < field<"maybe_time">) &&
              gives<typed<bool>>(field<"length"> > 5min));
static_assert(gives<typed<bool>>(field<"name"> == field<"name">) &&
              gives<typed<bool>>(field<"bytes"> == field<"bytes">));
static_assert(gives<typed<bool>>(field<"flag"> == true) && gives<typed<bool>>(field<"day"> == field<"day">));
static_assert(gives<typed<bool>>(field<"state"> == status::paid));
static_assert(std::is_same_v<inferred<decltype(field<"name"> == "x"), row>, typed<bool>>);

template <class L, class R, operation Op, class Left, class Right>
constexpr bool different(const binary_expression<Op, Left, Right>&) {
  return std::is_same_v<inferred<binary_expression<Op, Left, Right>, row>,
                        fail<rule::operands_must_compare, type<L>, type<R>, Left, Right>>;
}
static_assert(different<text, std::int8_t>(field<"name"> == field<"i8">));
static_assert(different<text, binary>(field<"name"> == field<"bytes">));
static_assert(different<double, std::int8_t>(field<"real64"> < field<"i8">));
static_assert(different<double, decimal<10, 2>>(field<"real64"> < field<"price">));
static_assert(different<timestamp, date>(field<"time"> < field<"day">));
static_assert(different<bool, std::int8_t>(field<"flag"> == field<"i8">));
static_assert(different<status, other_status>(field<"state"> == other_status::paid));
static_assert(different<nested, nested>(field<"part"> == field<"part">));
static_assert(different<std::vector<int>, std::vector<int>>(field<"list"> == field<"list">));

// ---- logic and null -------------------------------------------------------------------------------------------------
static_assert(gives<typed<bool, true>>(field<"flag"> && field<"maybe_flag">));
static_assert(gives<typed<bool>>(field<"flag"> || field<"i8"> == 1));
static_assert(gives<typed<bool, true>>(!field<"maybe_flag">));
static_assert(gives<fail<rule::logic_needs_bools, type<bool>, type<std::int8_t>>>(field<"flag"> && field<"i8">));
static_assert(gives<fail<rule::logic_needs_bools, type<text>>>(!field<"name">));
static_assert(gives<typed<bool>>(is_null(field<"maybe_int">)) && gives<typed<bool>>(is_not_null(field<"part">)));
static_assert(gives<typed<decimal<10, 2>>>(coalesce(field<"maybe_price">, field<"price">)));
static_assert(gives<typed<timestamp, true>>(coalesce(field<"maybe_time">, field<"maybe_time">)));
static_assert(different<std::int32_t, std::int64_t>(coalesce(field<"maybe_int">, field<"i64">)));

// The first operand that is wrong is the one that is told.
static_assert(gives<inferred<decltype(field<"nmae">), row>>(field<"nmae"> == field<"tmie">));
static_assert(gives<inferred<decltype(field<"flag"> + 1), row>>(is_null(field<"flag"> + 1)));

// ---- rows that were changed -----------------------------------------------------------------------------------------
using sum_of = decltype(field<"i8"> + 1);
using with_column = derived_row<row, "more", sum_of>;
static_assert(std::is_same_v<inferred<field_reference<"more">, with_column>, typed<std::int64_t>>);
static_assert(std::is_same_v<inferred<field_reference<"name">, with_column>, typed<text>>);
using hiding = derived_row<row, "name", sum_of>;
static_assert(std::is_same_v<inferred<field_reference<"name">, hiding>, typed<std::int64_t>>);

struct Selected {
  double value;
  text name;
};
using selected = selected_row<row, Selected, assignment<"value", field_reference<"real64">>>;
static_assert(std::is_same_v<inferred<field_reference<"value">, selected>, typed<double>>);
static_assert(std::is_same_v<inferred<field_reference<"name">, selected>, typed<text>>);
static_assert(
    std::is_same_v<inferred<field_reference<"real64">, selected>,
                   fail<rule::field_must_exist, type<Selected>, called<"real64">, did_you_mean<called<"value">>>>);

// ---- predicates -----------------------------------------------------------------------------------------------------
template <class Expected, class E>
constexpr bool judges(const E&) {
  return std::is_same_v<predicate_verdict<E, row>, Expected>;
}
static_assert(judges<pass>(field<"flag">) && judges<pass>(field<"maybe_flag">));
static_assert(judges<pass>(field<"price"> > 0));
static_assert(
    judges<fail<rule::predicate_must_be_bool, type<decimal<10, 2>>, field_reference<"price">>>(field<"price">));
static_assert(judges<fail<rule::logic_needs_bools, type<text>>>(!field<"name">));
static_assert(std::is_same_v<predicate_verdict<literal<bool>, row>, pass>);

}  // namespace
}  // namespace etlantic
