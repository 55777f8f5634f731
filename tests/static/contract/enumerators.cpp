#include <etlantic/contract/contract.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace codes {
enum class plain { zero, one, two };
enum unscoped : int { red, green = 5, blue };
enum open_ended { odd, even };
enum class flag : bool { off, on };
enum class small : std::uint8_t { a = 1, b = 63 };
enum class reply { failed = -1, fine = 0, gone = 410 };
enum class sparse { inside = 3, outside = 64 };
enum class twins { first = 1, second = 1, third = 2 };
}  // namespace codes

template <>
struct etlantic::enumerator_range<codes::reply> {
  static constexpr int first = -1, last = 500;
};

namespace etlantic {
namespace {

template <class E>
constexpr std::size_t names = enumerator_names<E>.size();

static_assert(names<codes::plain> == 3 && enumerator_names<codes::plain>[0] == "zero" &&
              enumerator_names<codes::plain>[2] == "two");
static_assert(enumerator_index(codes::plain::two) == 2 && enumerator_at<codes::plain>(1) == codes::plain::one);
static_assert(enumerator_index(static_cast<codes::plain>(9)) == 3, "a value without a name");

static_assert(names<codes::unscoped> == 3 && enumerator_names<codes::unscoped>[1] == "green");
static_assert(enumerator_index(codes::blue) == 2 && enumerator_at<codes::unscoped>(2) == codes::blue);

static_assert(names<codes::small> == 2 && enumerator_names<codes::small>[1] == "b");

// Values are looked for from 0 to 63 unless a range says otherwise.
static_assert(names<codes::sparse> == 1 && enumerator_names<codes::sparse>[0] == "inside");
static_assert(names<codes::reply> == 3 && enumerator_names<codes::reply>[0] == "failed" &&
              enumerator_names<codes::reply>[2] == "gone");
static_assert(enumerator_at<codes::reply>(0) == codes::reply::failed && enumerator_index(codes::reply::gone) == 2);

// Compilers spell what encloses an enumeration in brackets of all sorts.
enum class hidden { low, high };
static_assert(names<hidden> == 2 && enumerator_names<hidden>[0] == "low" && enumerator_names<hidden>[1] == "high");

// Two names of one value are one value, under the first name.
static_assert(names<codes::twins> == 2 && enumerator_names<codes::twins>[0] == "first");

// A type that is too small for the range gives no name twice.
static_assert(names<codes::flag> == 2 && enumerator_names<codes::flag>[1] == "on");

struct holder {
  codes::reply reply;
};
struct open_holder {
  codes::open_ended parity;
};
static_assert(FixedEnumeration<codes::unscoped> && !FixedEnumeration<codes::open_ended> && !FixedEnumeration<int>);
static_assert(
    std::is_same_v<contract_verdict<open_holder>,
                   fail<rule::field_type_must_be_known, type<open_holder>, called<"parity">, type<codes::open_ended>>>);
static_assert(schema_of<holder>().fields[0].enumerators.size() == 3);

}  // namespace
}  // namespace etlantic
