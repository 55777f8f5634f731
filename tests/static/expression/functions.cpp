#include <etlantic/expression/cast.hpp>
#include <etlantic/expression/choices.hpp>
#include <etlantic/expression/text_functions.hpp>
#include <etlantic/expression/time_functions.hpp>

#include <chrono>
#include <cstdint>
#include <type_traits>

namespace etlantic {
namespace {

enum class status { paid, open };
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
  std::optional<std::int64_t> maybe_int;
  float real32;
  double real64;
  decimal<10, 2> price;
  decimal<5, 3> rate;
  decimal<38, 2> widest;
  decimal<38, 30> finest;
  text name;
  std::optional<text> maybe_name;
  binary bytes;
  date day;
  std::optional<date> maybe_day;
  timestamp time;
  std::optional<timestamp> maybe_time;
  duration length;
  status state;
  nested part;
};
using row = contract_row<Row>;

template <class Expected, class E>
constexpr bool gives(const E&) {
  return std::is_same_v<inferred<E, row>, Expected>;
}
template <fixed_string Function, class... Values, class E>
constexpr bool unsuitable(const E& call) {
  return gives<fail<rule::function_must_suit_its_arguments, called<Function>, type<Values>...>>(call);
}
template <fixed_string Function, class L, class R, class E>
constexpr bool without_common_type(const E& call) {
  return gives<fail<rule::values_must_have_one_type, called<Function>, type<L>, type<R>>>(call);
}

// ---- choices --------------------------------------------------------------------------------------------------------
static_assert(
    gives<typed<text>>(case_when(field<"i8"> > 0, "more").when(field<"flag">, field<"name">).otherwise("less")));
static_assert(gives<typed<text, true>>(case_when(field<"flag">, "yes").otherwise_null()));
static_assert(gives<typed<text, true>>(case_when(field<"flag">, field<"maybe_name">).otherwise("no")));
static_assert(gives<typed<text>>(case_when(field<"maybe_flag">, "yes").otherwise("no")),
              "a null condition is not true");
static_assert(gives<typed<std::int64_t>>(case_when(field<"flag">, field<"i8">).otherwise(0)));
static_assert(gives<typed<decimal<21, 2>>>(case_when(field<"flag">, field<"price">).otherwise(0)));
static_assert(gives<typed<decimal<11, 3>>>(case_when(field<"flag">, field<"price">).otherwise(field<"rate">)));
static_assert(gives<typed<double>>(case_when(field<"flag">, field<"real32">).when(field<"flag">, 1).otherwise(0.5)));
static_assert(without_common_type<"case_when", text, std::int64_t>(case_when(field<"flag">, "a").otherwise(1)));
static_assert(without_common_type<"case_when", double, decimal<10, 2>>(
    case_when(field<"flag">, field<"real64">).otherwise(field<"price">)));
static_assert(without_common_type<"case_when", decimal<38, 30>, decimal<38, 2>>(
                  case_when(field<"flag">, field<"finest">).otherwise(field<"widest">)),
              "36 + 30 digits");
static_assert(gives<fail<rule::predicate_must_be_bool, type<std::int8_t>, field_reference<"i8">>>(
    case_when(field<"i8">, 1).otherwise(0)));

static_assert(gives<typed<bool>>(in(field<"i8">, 1, 2, 3)) &&
              gives<typed<bool, true>>(in(field<"maybe_name">, "a", "b")));
static_assert(gives<typed<bool>>(in(field<"state">, status::paid)) &&
              gives<typed<bool>>(in(field<"price">, 1, decimal<3, 1>("1.5"))));
static_assert(gives<fail<rule::operands_must_compare, type<status>, type<text>, field_reference<"state">,
                         literal<std::string_view>>>(in(field<"state">, "paid")));
static_assert(unsuitable<"in", std::int8_t, std::int32_t>(in(field<"i8">, field<"i32">)), "constants only");

static_assert(gives<typed<bool, true>>(between(field<"maybe_int">, 1, 2)) &&
              gives<typed<bool>>(between(field<"name">, "a", "b")));
static_assert(gives<typed<text, true>>(null_if(field<"name">, "")) &&
              gives<typed<std::int8_t, true>>(null_if(field<"i8">, 0)));
static_assert(gives<fail<rule::operands_must_compare, type<text>, type<std::int64_t>, field_reference<"name">,
                         literal<std::int64_t>>>(null_if(field<"name">, 0)));

static_assert(gives<typed<std::int64_t>>(greatest(field<"i8">, field<"maybe_int">)), "nulls are passed over");
static_assert(gives<typed<std::int64_t, true>>(least(field<"maybe_int">, field<"maybe_int">)));
static_assert(gives<typed<timestamp>>(greatest(field<"time">, field<"maybe_time">, timestamp{0})));
static_assert(without_common_type<"least", text, std::int64_t>(least(field<"name">, 1)));
static_assert(unsuitable<"greatest", nested>(greatest(field<"part">, field<"part">)));

static_assert(gives<typed<std::int64_t>>(abs(field<"i8">)) && gives<typed<double>>(abs(field<"real32">)));
static_assert(gives<typed<decimal<10, 2>>>(abs(field<"price">)) && gives<typed<duration>>(abs(field<"length">)));
static_assert(unsuitable<"abs", text>(abs(field<"name">)));

// ---- casts ----------------------------------------------------------------------------------------------------------
template <class From, class To, class E>
constexpr bool can_fail(const E& call) {
  return gives<fail<rule::cast_must_not_fail, type<From>, type<To>>>(call);
}
static_assert(gives<typed<std::int64_t>>(cast<std::int64_t>(field<"i8">)) &&
              gives<typed<double>>(cast<double>(field<"i64">)));
static_assert(gives<typed<std::int64_t, true>>(cast<std::int64_t>(field<"maybe_int">)));
static_assert(gives<typed<decimal<12, 2>>>(cast<decimal<12, 2>>(field<"price">)));
static_assert(gives<typed<decimal<10, 1>>>(cast<decimal<10, 1>>(field<"price">)), "rounding may add a digit in front");
static_assert(can_fail<decimal<10, 2>, decimal<9, 1>>(cast<decimal<9, 1>>(field<"price">)));
static_assert(gives<typed<decimal<5, 2>>>(cast<decimal<5, 2>>(field<"i8">)) &&
              can_fail<std::int8_t, decimal<4, 2>>(cast<decimal<4, 2>>(field<"i8">)));
static_assert(gives<typed<std::int32_t>>(cast<std::int32_t>(field<"price">)) &&
              gives<typed<std::int64_t>>(cast<std::int64_t>(field<"price">)));
static_assert(can_fail<std::int64_t, std::int32_t>(cast<std::int32_t>(field<"i64">)) &&
              can_fail<std::int8_t, std::uint64_t>(cast<std::uint64_t>(field<"i8">)));
static_assert(can_fail<std::uint64_t, std::int64_t>(cast<std::int64_t>(field<"u64">)));
static_assert(can_fail<double, float>(cast<float>(field<"real64">)) &&
              can_fail<double, std::int64_t>(cast<std::int64_t>(field<"real64">)));
static_assert(can_fail<text, std::int64_t>(cast<std::int64_t>(field<"name">)) &&
              can_fail<date, timestamp>(cast<timestamp>(field<"day">)));
static_assert(gives<typed<text>>(cast<text>(field<"state">)) && gives<typed<date>>(cast<date>(field<"time">)));
static_assert(
    gives<fail<rule::cast_must_be_defined, type<timestamp>, type<std::int64_t>>>(cast<std::int64_t>(field<"time">)));
static_assert(gives<fail<rule::cast_must_be_defined, type<nested>, type<text>>>(try_cast<text>(field<"part">)));
static_assert(gives<typed<timestamp, true>>(try_cast<timestamp>(field<"name">)) &&
              gives<typed<timestamp>>(checked_cast<timestamp>(field<"name">)));
static_assert(gives<typed<std::int64_t>>(try_cast<std::int64_t>(field<"i8">)), "nothing can fail here");
static_assert(gives<typed<timestamp, true>>(checked_cast<timestamp>(field<"maybe_name">)));

// ---- text -----------------------------------------------------------------------------------------------------------
static_assert(gives<typed<std::int32_t>>(length(field<"name">)) &&
              gives<typed<std::int32_t, true>>(length(field<"maybe_name">)));
static_assert(gives<typed<text>>(substring(field<"name">, 1, field<"i8">)) &&
              gives<typed<text, true>>(substring(field<"name">, field<"maybe_int">, 1)));
static_assert(gives<typed<text>>(split_part(field<"name">, ",", 1)) &&
              gives<typed<text, true>>(split_part(field<"name">, field<"maybe_name">, field<"i8">)));
static_assert(unsuitable<"split_part", text, text, std::uint64_t>(split_part(field<"name">, ",", field<"u64">)) &&
              unsuitable<"split_part", text, std::int64_t, std::int64_t>(split_part(field<"name">, 1, 1)));
static_assert(gives<typed<text>>(upper_ascii(trim(field<"name">))) &&
              gives<typed<text, true>>(lower_ascii(field<"maybe_name">)));
static_assert(gives<typed<bool>>(contains(field<"name">, "x")) &&
              gives<typed<bool, true>>(starts_with("x", field<"maybe_name">)));
static_assert(gives<typed<text, true>>(concat(field<"name">, "-", field<"maybe_name">)));
static_assert(gives<typed<bool, true>>(like(field<"maybe_name">, "a%")));
static_assert(unsuitable<"length", binary>(length(field<"bytes">)) &&
              unsuitable<"concat", text, std::int8_t>(concat(field<"name">, field<"i8">)));
static_assert(unsuitable<"substring", text, std::uint64_t, std::int64_t>(substring(field<"name">, field<"u64">, 1)));
static_assert(unsuitable<"like", std::int8_t>(like(field<"i8">, "1%")) &&
              unsuitable<"contains", text, std::int64_t>(contains(field<"name">, 1)));
static_assert(gives<fail<rule::field_must_exist, type<Row>, called<"nmae">, did_you_mean<called<"name">>>>(
    length(field<"nmae">)));

// ---- days and times -------------------------------------------------------------------------------------------------
static_assert(gives<typed<std::int32_t>>(year(field<"day">)) &&
              gives<typed<std::int32_t, true>>(month(field<"maybe_time">)));
static_assert(gives<typed<std::int32_t>>(hour(field<"time">)) && unsuitable<"hour", date>(hour(field<"day">)));
static_assert(gives<typed<timestamp, true>>(truncate_to<std::chrono::months>(field<"maybe_time">)));
static_assert(gives<typed<date>>(date_of(field<"time">)) && gives<typed<timestamp>>(timestamp_of(field<"day">)));
static_assert(gives<typed<std::int64_t>>(unix_seconds(field<"time">)) && gives<typed<date>>(add_days(field<"day">, 3)));
static_assert(gives<typed<std::int64_t, true>>(days_between(field<"day">, field<"maybe_day">)));
static_assert(unsuitable<"add_days", timestamp, std::int64_t>(add_days(field<"time">, 3)) &&
              unsuitable<"year", text>(year(field<"name">)));
static_assert(unsuitable<"days_between", date, timestamp>(days_between(field<"day">, field<"time">)));
template <class Unit>
concept can_be_truncated_to = requires { truncate_to<Unit>(field<"time">); };
static_assert(can_be_truncated_to<std::chrono::weeks> && !can_be_truncated_to<std::chrono::seconds>);

}  // namespace
}  // namespace etlantic
