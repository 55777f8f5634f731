#include <etlantic/expression/aggregate.hpp>
#include <etlantic/expression/collect_list.hpp>
#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/expression/quantile.hpp>

#include <cstdint>
#include <type_traits>

namespace etlantic {
namespace {

enum class status { paid };
struct nested {
  int a;
};
struct Row {
  std::int8_t i8;
  std::optional<std::uint32_t> maybe_int;
  float real32;
  decimal<10, 2> price;
  decimal<30, 2> wide;
  decimal<38, 36> finest;
  std::optional<decimal<10, 2>> maybe_price;
  text name;
  binary bytes;
  bool flag;
  timestamp time;
  duration length;
  status state;
  nested part;
  std::vector<int> list;
};

template <class Expected, class Call>
constexpr bool gives(const Call&) {
  return std::is_same_v<inferred<Call, contract_row<Row>>, Expected>;
}
template <fixed_string Function, class T, class Call>
constexpr bool unsuitable(const Call& call) {
  return gives<fail<rule::aggregate_must_suit_its_type, called<Function>, type<T>>>(call);
}

static_assert(gives<typed<std::int64_t>>(count()) && gives<typed<std::int64_t>>(count(field<"list">)));
static_assert(gives<typed<std::int64_t>>(count(field<"maybe_int">)), "a count is never null");

static_assert(gives<typed<std::int64_t>>(sum(field<"i8">)) &&
              gives<typed<std::int64_t, true>>(sum(field<"maybe_int">)));
static_assert(gives<typed<double>>(sum(field<"real32">)));
static_assert(gives<typed<duration>>(sum(field<"length">)));
// Spark's rules: a sum has ten more digits, a mean four more on both sides of the point; 38 at most.
static_assert(gives<typed<decimal<20, 2>>>(sum(field<"price">)) && gives<typed<decimal<38, 2>>>(sum(field<"wide">)));
static_assert(gives<typed<decimal<20, 2>, true>>(sum(field<"maybe_price">)));
static_assert(gives<typed<decimal<14, 6>>>(avg(field<"price">)) && gives<typed<decimal<34, 6>>>(avg(field<"wide">)));
static_assert(gives<typed<decimal<38, 38>>>(avg(field<"finest">)));
static_assert(gives<typed<double>>(avg(field<"i8">)) && gives<typed<double, true>>(avg(field<"maybe_int">)));

static_assert(gives<typed<std::int8_t>>(min(field<"i8">)) &&
              gives<typed<decimal<10, 2>, true>>(max(field<"maybe_price">)));
static_assert(gives<typed<text>>(max(field<"name">)) && gives<typed<timestamp>>(min(field<"time">)));
static_assert(gives<typed<status>>(max(field<"state">)) && gives<typed<bool>>(min(field<"flag">)));
static_assert(gives<typed<decimal<38, 2>>>(sum(field<"price"> * field<"i8">)));

// The value of one row may be null wherever the row or its order may.
static_assert(gives<typed<text>>(max_by(field<"name">, field<"time">)));
static_assert(gives<typed<text, true>>(min_by(field<"name">, field<"maybe_price">)));
static_assert(gives<typed<decimal<10, 2>, true>>(max_by(field<"maybe_price">, field<"name">)));
static_assert(gives<typed<std::int8_t>>(first(field<"i8">)) &&
              gives<typed<decimal<10, 2>, true>>(last(field<"maybe_price">)));
static_assert(gives<typed<std::int64_t>>(count_if(field<"flag">)));
static_assert(gives<typed<std::int64_t>>(count_if(field<"maybe_price"> > field<"price">)), "a count is never null");
static_assert(gives<typed<std::int64_t>>(count_distinct(field<"maybe_price">)), "a count is never null");
static_assert(gives<typed<std::int64_t>>(approximate_count_distinct(field<"maybe_price">)) &&
              gives<typed<std::int64_t>>(approximate_count_distinct(field<"bytes">)));
static_assert(unsuitable<"approximate_count_distinct", nested>(approximate_count_distinct(field<"part">)) &&
              unsuitable<"approximate_count_distinct", std::vector<int>>(approximate_count_distinct(field<"list">)));
static_assert(gives<typed<std::int8_t>>(approximate_quantile<50>(field<"i8">)) &&
              gives<typed<float>>(approximate_quantile<0>(field<"real32">)) &&
              gives<typed<decimal<10, 2>, true>>(approximate_quantile<999, 1000>(field<"maybe_price">)) &&
              gives<typed<duration>>(approximate_quantile<100>(field<"length">)));
static_assert(unsuitable<"approximate_quantile", timestamp>(approximate_quantile<50>(field<"time">)) &&
                  unsuitable<"approximate_quantile", text>(approximate_quantile<50>(field<"name">)) &&
                  unsuitable<"approximate_quantile", bool>(approximate_quantile<50>(field<"flag">)),
              "a part of a timestamp is a long time");
static_assert(
    gives<fail<rule::quantile_must_lie_between_0_and_1, share<101, 100>>>(approximate_quantile<101>(field<"i8">)));
static_assert(
    gives<fail<rule::quantile_must_lie_between_0_and_1, share<-1, 100>>>(approximate_quantile<-1>(field<"i8">)));
static_assert(
    gives<fail<rule::quantile_must_lie_between_0_and_1, share<0, 0>>>(approximate_quantile<0, 0>(field<"i8">)));
static_assert(gives<typed<std::vector<text>>>(collect_list<10>(field<"name">)) &&
                  gives<typed<std::vector<decimal<10, 2>>>>(collect_list<10'000>(field<"maybe_price">)) &&
                  gives<typed<std::vector<status>>>(collect_list<1>(field<"state">)),
              "a list is never null");
static_assert(unsuitable<"collect_list", nested>(collect_list<10>(field<"part">)) &&
              unsuitable<"collect_list", std::vector<int>>(collect_list<10>(field<"list">)));
static_assert(
    gives<fail<rule::collected_list_must_be_bounded, values_kept<0>>>(collect_list<0>(field<"name">)) &&
    gives<fail<rule::collected_list_must_be_bounded, values_kept<10'001>>>(collect_list<10'001>(field<"name">)));
static_assert(unsuitable<"count_distinct", nested>(count_distinct(field<"part">)));
static_assert(gives<typed<double, true>>(variance(field<"i8">)) && gives<typed<double, true>>(stddev(field<"price">)),
              "there is none of a single value");

static_assert(unsuitable<"max_by", nested>(max_by(field<"name">, field<"part">)));
static_assert(unsuitable<"min_by", std::vector<int>>(min_by(field<"list">, field<"name">)));
static_assert(unsuitable<"first", nested>(first(field<"part">)) &&
              unsuitable<"count_if", text>(count_if(field<"name">)));
static_assert(unsuitable<"variance", timestamp>(variance(field<"time">)) &&
              unsuitable<"stddev", bool>(stddev(field<"flag">)));
static_assert(gives<fail<rule::field_must_exist, type<Row>, called<"pirce">, did_you_mean<called<"price">>>>(
    max_by(field<"name">, field<"pirce">)));

static_assert(unsuitable<"sum", text>(sum(field<"name">)) && unsuitable<"avg", text>(avg(field<"name">)));
static_assert(unsuitable<"sum", bool>(sum(field<"flag">)) && unsuitable<"sum", timestamp>(sum(field<"time">)));
static_assert(unsuitable<"avg", duration>(avg(field<"length">)) && unsuitable<"sum", status>(sum(field<"state">)));
static_assert(unsuitable<"min", nested>(min(field<"part">)) && unsuitable<"max", std::vector<int>>(max(field<"list">)));
static_assert(gives<fail<rule::field_must_exist, type<Row>, called<"pirce">, did_you_mean<called<"price">>>>(
    sum(field<"pirce">)));

}  // namespace
}  // namespace etlantic
