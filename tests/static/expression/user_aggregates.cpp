#include <etlantic/expression/user_aggregate.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace etlantic {
namespace {

enum class status { paid };
struct Row {
  std::int32_t small;
  std::int64_t large;
  std::optional<double> maybe;
  float real32;
  decimal<10, 2> price;
  text name;
  timestamp time;
  status state;
  std::vector<int> list;
};

template <class Expected, class Call>
constexpr bool gives(const Call&) {
  return std::is_same_v<inferred<Call, contract_row<Row>>, Expected>;
}

struct total {
  std::int64_t sum = 0;
  void add(std::int64_t value) { sum += value; }
  void merge(const total& other) { sum += other.sum; }
  std::int64_t result() const { return sum; }
};
static_assert(gives<typed<std::int64_t>>(aggregated_by<total>(field<"large">)));
static_assert(gives<typed<std::int64_t>>(aggregated_by<total>(field<"small">)),
              "an integer may be wider than its field");
static_assert(gives<typed<std::int64_t>>(aggregated_by<total>(field<"small"> + 1)) &&
              gives<typed<std::int64_t>>(aggregated_by<total>(2)));

struct nested {
  std::uint8_t low;
  decimal<30, 4> wide;
};
struct everything {
  bool any = false;
  std::array<nested, 3> parts{};
  std::array<std::array<double, 2>, 2> matrix{};
  status kind = status::paid;
  timestamp time;
  date day;
  duration length{};
  [[maybe_unused]] static constexpr int version = 2;

  void add(double, std::string_view, status, const timestamp&, decimal<10, 2>) {}
  void merge(const everything&) {}
  std::optional<text> result() const { return std::nullopt; }
};
static_assert(gives<typed<text, true>>(aggregated_by<everything>(field<"maybe">, field<"name">, field<"state">,
                                                                 field<"time">, field<"price">)),
              "rows with a null do not make the result one, but an optional can");

struct overloaded : total {};
struct by_any_type {
  std::uint64_t rows = 0;
  void add(const auto&) { ++rows; }
  void merge(by_any_type other) { rows += other.rows; }
  decimal<18, 2> result() const { return decimal<18, 2>::from_scaled(static_cast<std::int64_t>(rows)); }
};
static_assert(gives<typed<decimal<18, 2>>>(aggregated_by<by_any_type>(field<"name">)) &&
              gives<typed<decimal<18, 2>>>(aggregated_by<by_any_type>(field<"state">)));

// ---- the state ----

using rule::user_aggregate_must_be_a_plain_struct;
struct constructed {
  explicit constructed(int) {}
};
struct destroyed {
  int rows = 0;
  ~destroyed() {}
  void add(std::int64_t) {}
  void merge(const destroyed&) {}
  std::int64_t result() const { return rows; }
};
static_assert(gives<fail<user_aggregate_must_be_a_plain_struct, type<constructed>, has_constructors_or_private_fields>>(
    aggregated_by<constructed>(field<"large">)));
static_assert(gives<fail<user_aggregate_must_be_a_plain_struct, type<overloaded>, has_a_base_class>>(
    aggregated_by<overloaded>(field<"large">)));
static_assert(gives<fail<user_aggregate_must_be_a_plain_struct, type<destroyed>, is_not_copied_as_bytes>>(
    aggregated_by<destroyed>(field<"large">)));
static_assert(
    gives<fail<user_aggregate_must_be_a_plain_struct, type<int>, is_not_a_struct>>(aggregated_by<int>(field<"large">)));

using rule::user_aggregate_must_have_fixed_width;
struct with_text {
  int rows;
  text names;
};
struct with_list {
  std::vector<int> list;
};
struct with_nested_list {
  int rows;
  with_list inner;
};
struct with_pointer {
  const int* at;
};
static_assert(gives<fail<user_aggregate_must_have_fixed_width, type<with_text>, called<"names">, type<text>>>(
    aggregated_by<with_text>(field<"large">)));
static_assert(
    gives<fail<user_aggregate_must_have_fixed_width, type<with_nested_list>, called<"list">, type<std::vector<int>>>>(
        aggregated_by<with_nested_list>(field<"large">)));
static_assert(gives<fail<user_aggregate_must_have_fixed_width, type<with_pointer>, called<"at">, type<const int*>>>(
    aggregated_by<with_pointer>(field<"large">)));

// ---- its functions ----

struct without_add {
  int rows;
  void merge(const without_add&) {}
  int result() const { return rows; }
};
struct without_merge {
  int rows;
  void add(std::int64_t) {}
  int result() const { return rows; }
};
struct merging_others {
  int rows;
  void add(std::int64_t) {}
  void merge(total) {}
  int result() const { return rows; }
};
struct without_result {
  int rows;
  void add(std::int64_t) {}
  void merge(const without_result&) {}
};
struct changing_result {
  int rows;
  void add(std::int64_t) {}
  void merge(const changing_result&) {}
  int result() { return ++rows; }
};
struct giving_a_list {
  int rows;
  void add(std::int64_t) {}
  void merge(const giving_a_list&) {}
  std::vector<int> result() const { return {}; }
};
struct changing_values {
  int rows;
  void add(std::int64_t&) {}
  void merge(const changing_values&) {}
  int result() const { return rows; }
};
static_assert(
    gives<fail<rule::user_aggregate_must_add, type<without_add>>>(aggregated_by<without_add>(field<"large">)));
static_assert(
    gives<fail<rule::user_aggregate_must_merge, type<without_merge>>>(aggregated_by<without_merge>(field<"large">)));
static_assert(
    gives<fail<rule::user_aggregate_must_merge, type<merging_others>>>(aggregated_by<merging_others>(field<"large">)));
static_assert(gives<fail<rule::user_aggregate_must_give_a_result, type<without_result>>>(
    aggregated_by<without_result>(field<"large">)));
static_assert(gives<fail<rule::user_aggregate_must_give_a_result, type<changing_result>>>(
    aggregated_by<changing_result>(field<"large">)));
static_assert(gives<fail<rule::user_aggregate_must_give_a_result, type<giving_a_list>, type<std::vector<int>>>>(
    aggregated_by<giving_a_list>(field<"large">)));

using rule::user_aggregate_must_take_its_values;
template <class Aggregate, class... Values, class Call>
constexpr bool refused(const Call& call) {
  return gives<fail<user_aggregate_must_take_its_values, type<Aggregate>, type<Values>...>>(call);
}
static_assert(refused<total, double>(aggregated_by<total>(field<"maybe">)), "it would be cut to an integer in silence");
static_assert(refused<total, std::int64_t, std::int64_t>(aggregated_by<total>(field<"large">, field<"large">)));
static_assert(refused<total>(aggregated_by<total>()));
static_assert(refused<total, text>(aggregated_by<total>(field<"name">)));
static_assert(refused<changing_values, std::int64_t>(aggregated_by<changing_values>(field<"large">)));
static_assert(refused<by_any_type, std::vector<int>>(aggregated_by<by_any_type>(field<"list">)));
static_assert(gives<fail<rule::field_must_exist, type<Row>, called<"lrage">, did_you_mean<called<"large">>>>(
    aggregated_by<total>(field<"lrage">)));

}  // namespace
}  // namespace etlantic
