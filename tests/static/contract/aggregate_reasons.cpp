#include <etlantic/contract/contract.hpp>
#include <etlantic/contract/describe_members.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace etlantic {
namespace {

template <class T, class Reason>
constexpr bool refused_for =
    std::is_same_v<aggregate_verdict<T>, fail<rule::contract_must_be_a_plain_aggregate, type<T>, Reason>> &&
    std::is_same_v<contract_verdict<T>, fail<rule::contract_must_be_a_plain_aggregate, type<T>, Reason>>;

struct plain {
  std::int64_t id;
  text name;
};
static_assert(std::is_same_v<aggregate_verdict<plain>, pass> && Contract<plain>);

struct with_constructor {
  std::int64_t id;
  explicit with_constructor(std::int64_t given) : id(given) {}
};
static_assert(refused_for<with_constructor, has_constructors_or_private_fields>);

class with_private_field {
  [[maybe_unused]] std::int64_t id;
};
static_assert(refused_for<with_private_field, has_constructors_or_private_fields>);

struct partly_private {
  std::int64_t id;

 private:
  [[maybe_unused]] std::int64_t secret;
};
static_assert(refused_for<partly_private, has_constructors_or_private_fields>);

struct derived : plain {
  std::int64_t more;
};
static_assert(refused_for<derived, has_a_base_class>);
struct derived_without_fields : plain {};
static_assert(refused_for<derived_without_fields, has_a_base_class>);

struct with_virtual {
  std::int64_t id;
  virtual void act() {}
  virtual ~with_virtual() = default;
};
static_assert(refused_for<with_virtual, has_virtual_functions>);

struct array_alone {
  double values[4];
};
struct array_first {
  char name[8];
  std::int64_t id;
};
struct array_between {
  std::int64_t id;
  double values[2];
  text name;
};
struct array_of_one {
  std::int64_t id;
  double values[1];
};
static_assert(refused_for<array_alone, has_a_c_array>);
static_assert(refused_for<array_first, has_a_c_array>);
static_assert(refused_for<array_between, has_a_c_array>);
// One of a single element looks like its element; the type of the field gives it away.
static_assert(
    std::is_same_v<contract_verdict<array_of_one>,
                   fail<rule::field_type_must_be_known, type<array_of_one>, called<"values">, type<double[1]>>>);

struct empty {};
static_assert(refused_for<empty, has_no_fields>);

union either {
  int a;
  double b;
};
enum class colour { red };
static_assert(refused_for<int, is_not_a_struct>);
static_assert(refused_for<colour, is_not_a_struct>);
static_assert(refused_for<either, is_not_a_struct>);
static_assert(refused_for<plain*, is_not_a_struct>);

// Structs that look like arrays from outside are none.
struct pair_of {
  double a, b;
};
struct with_nested {
  pair_of both;
  std::vector<double> many;
  std::optional<pair_of> maybe;
  text name;
  timestamp time;
  decimal<10, 2> price;
};
static_assert(std::is_same_v<aggregate_verdict<with_nested>, pass> && Contract<with_nested>);

#define TEN(p) double p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9;
#define HUNDRED TEN(a) TEN(b) TEN(c) TEN(d) TEN(e) TEN(f) TEN(g) TEN(h) TEN(i) TEN(j)
struct hundred_fields {
  HUNDRED
};
struct more_than_hundred_fields {
  HUNDRED double last;
};
static_assert(Contract<hundred_fields> && member_count<hundred_fields> == 100);
static_assert(member_names<hundred_fields>[0] == "a0" && member_names<hundred_fields>[99] == "j9");
static_assert(refused_for<more_than_hundred_fields, has_more_than_100_fields>);

}  // namespace
}  // namespace etlantic
