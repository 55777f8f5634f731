#include <etlantic/contract/contract.hpp>

#include <cstdint>
#include <map>
#include <type_traits>

namespace etlantic {
namespace {

enum class side { buy, sell };
struct address {
  text city;
  std::optional<text> street;
};
struct every_type {
  bool boolean;
  std::int8_t i8;
  std::int16_t i16;
  std::int32_t i32;
  std::int64_t i64;
  std::uint8_t u8;
  std::uint16_t u16;
  std::uint32_t u32;
  std::uint64_t u64;
  float single;
  double twofold;
  decimal<38, 10> wide;
  rounded<decimal<9, 2>> round;
  text words;
  binary bytes;
  date day;
  timestamp time;
  epoch<std::chrono::milliseconds> counted;
  local_time<"America/Argentina/Buenos_Aires"> shown;
  std::optional<checked<local_time<"Etc/GMT+8">>> maybe_shown;
  duration length;
  side direction;
  std::optional<std::int64_t> maybe;
  address place;
  std::vector<text> list;
  std::vector<address> structs;
  std::optional<checked<std::int64_t, gt<0>>> checked_maybe;
  checked<std::optional<std::int64_t>, gt<0>> maybe_checked;
  using key = primary_key<"i64", "words">;
};
static_assert(std::is_same_v<contract_verdict<every_type>, pass>);
static_assert(Contract<every_type>);

// ---- field_type_must_be_known
struct with_pointer {
  std::int64_t id;
  const char* name;
};
struct with_map {
  std::map<text, text> tags;
};
struct with_long_double {
  long double value;
};
template <class C, fixed_string Field, class T>
constexpr bool unknown_type =
    std::is_same_v<contract_verdict<C>, fail<rule::field_type_must_be_known, type<C>, called<Field>, type<T>>>;
static_assert(unknown_type<with_pointer, "name", const char*>);
static_assert(unknown_type<with_map, "tags", std::map<text, text>>);
static_assert(unknown_type<with_long_double, "value", long double>);

// ---- local_time_must_name_a_zone
template <fixed_string Zone>
struct with_local_time {
  std::int64_t id;
  std::vector<std::optional<local_time<Zone>>> placed;
};
static_assert(Contract<with_local_time<"Europe/Berlin">> && Contract<with_local_time<"UTC">>);
template <fixed_string Zone>
constexpr bool names_no_zone =
    std::is_same_v<contract_verdict<with_local_time<Zone>>,
                   fail<rule::local_time_must_name_a_zone, type<with_local_time<Zone>>, called<"placed">,
                        type<std::vector<std::optional<local_time<Zone>>>>>>;
static_assert(names_no_zone<""> && names_no_zone<"Europe/New York"> && names_no_zone<"/etc/localtime">);
static_assert(names_no_zone<"../localtime"> && names_no_zone<"localtime"> && names_no_zone<"UTC+01:00">);

// The culprit is the struct that holds the field, however deep it lies.
struct outer {
  std::int64_t id;
  std::vector<with_pointer> inner;
};
static_assert(unknown_type<outer, "name", const char*> == false);
static_assert(std::is_same_v<contract_verdict<outer>, contract_verdict<with_pointer>>);
struct bad_part {
  double values[2];
};
struct whole {
  bad_part part;
};
static_assert(std::is_same_v<contract_verdict<whole>,
                             fail<rule::contract_must_be_a_plain_aggregate, type<bad_part>, has_a_c_array>>);

// ---- constraint_must_fit_its_field
template <class T, class Constraint>
struct one_field {
  checked<T, Constraint> value;
};
template <class T, class Constraint>
constexpr bool fits = std::is_same_v<contract_verdict<one_field<T, Constraint>>, pass>;
template <class T, class Constraint>
constexpr bool refuses = std::is_same_v<
    contract_verdict<one_field<T, Constraint>>,
    fail<rule::constraint_must_fit_its_field, type<one_field<T, Constraint>>, called<"value">, Constraint, type<T>>>;

static_assert(fits<std::int64_t, gt<0>> && fits<std::uint8_t, le<100>> && fits<double, ge<0>> && fits<double, lt<0.5>>);
static_assert(refuses<std::int64_t, lt<0.5>> && refuses<bool, gt<0>> && refuses<text, gt<0>> &&
              refuses<timestamp, gt<0>>);
static_assert(fits<decimal<18, 2>, ge<0>> && fits<decimal<18, 2>, ge<decimal<4, 2>("0.01")>>);
static_assert(fits<decimal<18, 2>, ge<decimal<4, 1>("0.1")>> && refuses<decimal<18, 2>, ge<decimal<4, 3>("0.001")>>);
static_assert(refuses<decimal<18, 2>, lt<0.5>> && refuses<std::int64_t, gt<decimal<4, 2>("0.01")>>);
static_assert(fits<text, min_length<1>> && fits<binary, max_length<16>> && refuses<std::int64_t, max_length<3>>);
static_assert(fits<text, one_of<"EUR", "USD">> && fits<std::int32_t, one_of<1, 2, 3>>);
static_assert(refuses<text, one_of<1>> && refuses<std::int32_t, one_of<"1">> && refuses<double, one_of<1>>);
static_assert(refuses<std::int32_t, one_of<1, "2">>);
static_assert(fits<text, named_as<"other">> && fits<bool, described_as<"yes or no">>);
static_assert(fits<rounded<decimal<9, 2>>, gt<0>>);

// Constraints inside of a field's type are judged, too.
static_assert(fits<std::optional<checked<text, min_length<1>>>, max_length<9>> &&
              fits<std::vector<checked<std::int64_t, gt<0>>>, named_as<"other">>);
template <class T>
struct one_member {
  T value;
};
template <class T>
constexpr bool refuses_gt_inside =
    std::is_same_v<contract_verdict<one_member<T>>,
                   fail<rule::constraint_must_fit_its_field, type<one_member<T>>, called<"value">, gt<0>, type<text>>>;
static_assert(refuses_gt_inside<std::optional<checked<text, gt<0>>>>);
static_assert(refuses_gt_inside<std::vector<checked<text, gt<0>>>>);
static_assert(refuses_gt_inside<std::vector<std::optional<checked<text, gt<0>>>>>);
static_assert(refuses_gt_inside<checked<checked<text, gt<0>>, min_length<1>>>);

// ---- data_names_must_differ
struct swapped_names {
  checked<std::int64_t, named_as<"b">> a;
  checked<text, named_as<"a">> b;
};
static_assert(std::is_same_v<contract_verdict<swapped_names>, pass>);
struct taken_name {
  checked<std::int64_t, named_as<"b">> a;
  std::int64_t b;
};
static_assert(std::is_same_v<contract_verdict<taken_name>,
                             fail<rule::data_names_must_differ, type<taken_name>, called<"a">, called<"b">>>);
struct taken_inside {
  std::int64_t a;
  std::vector<std::optional<taken_name>> parts;
};
static_assert(std::is_same_v<contract_verdict<taken_inside>, contract_verdict<taken_name>>);

// ---- former_name_must_be_free
struct renamed {
  checked<std::int64_t, renamed_from<"qty">, gt<0>> quantity;
  std::optional<checked<text, renamed_from<"word">>> words;
};
static_assert(std::is_same_v<contract_verdict<renamed>, pass>);
static_assert(schema_of<renamed>().fields[0].former_name == "qty" &&
              schema_of<renamed>().fields[0].data_name == "quantity");
static_assert(schema_of<renamed>().fields[1].former_name == "word");
struct renamed_and_there {
  checked<std::int64_t, renamed_from<"qty">> quantity;
  std::int64_t qty;
};
static_assert(
    std::is_same_v<contract_verdict<renamed_and_there>,
                   fail<rule::former_name_must_be_free, type<renamed_and_there>, called<"quantity">, called<"qty">>>);
struct renamed_to_two {
  std::int64_t number;
  std::optional<checked<std::int64_t, renamed_from<"qty">>> quantity;
  checked<std::int64_t, renamed_from<"qty">> amount;
};
static_assert(
    std::is_same_v<contract_verdict<renamed_to_two>,
                   fail<rule::former_name_must_be_free, type<renamed_to_two>, called<"quantity">, called<"qty">>>);
struct renamed_from_itself {
  checked<std::int64_t, renamed_from<"quantity">> quantity;
};
static_assert(!passed<contract_verdict<renamed_from_itself>>);

// ---- key_field_must_exist
struct keyed {
  std::int64_t order_no;
  using key = primary_key<"order_no", "oder_no", "x">;
};
static_assert(
    std::is_same_v<contract_verdict<keyed>,
                   fail<rule::key_field_must_exist, type<keyed>, called<"oder_no">, did_you_mean<called<"order_no">>>>);
struct keyed_far_off {
  std::int64_t order_no;
  using key = primary_key<"customer">;
};
static_assert(
    std::is_same_v<contract_verdict<keyed_far_off>,
                   fail<rule::key_field_must_exist, type<keyed_far_off>, called<"customer">, nothing_similar>>);

}  // namespace
}  // namespace etlantic
