#include <etlantic/expression/infer_joined.hpp>
#include <etlantic/expression/operators.hpp>

#include <type_traits>

namespace etlantic {
namespace {

struct Shown {
  std::optional<std::int64_t> ad;
  text place;
  std::int64_t position;
};
struct Clicked {
  std::optional<std::int64_t> ad;
  text place;
  double price;
};

using key = key_pair<"ad", "ad">;
template <join_sort Sort>
using row = joined_row<contract_row<Shown>, contract_row<Clicked>, Sort, key>;
using enum join_sort;

template <fixed_string Name, join_sort Sort>
using unqualified = inferred<field_reference<Name>, row<Sort>>;
template <fixed_string Name, join_sort Sort>
using of_left = inferred<side_reference<join_side::of_left, Name>, row<Sort>>;
template <fixed_string Name, join_sort Sort>
using of_right = inferred<side_reference<join_side::of_right, Name>, row<Sort>>;
template <class Found, class T, bool Nullable>
constexpr bool gives = std::is_same_v<Found, typed<T, Nullable>>;

// ---- a side is null where it may be missing -------------------------------------------------------------------------
static_assert(gives<of_left<"place", inner>, text, false> && gives<of_right<"place", inner>, text, false>);
static_assert(gives<of_left<"place", left_outer>, text, false> && gives<of_right<"place", left_outer>, text, true>);
static_assert(gives<of_left<"place", right_outer>, text, true> && gives<of_right<"place", right_outer>, text, false>);
static_assert(gives<of_left<"place", full_outer>, text, true> && gives<of_right<"place", full_outer>, text, true>);

// ---- a name alone ---------------------------------------------------------------------------------------------------
static_assert(gives<unqualified<"price", left_outer>, double, true>, "the side that has it");
static_assert(gives<unqualified<"position", left_outer>, std::int64_t, false>);
static_assert(gives<unqualified<"ad", inner>, std::int64_t, false>, "null matches nothing");
static_assert(gives<unqualified<"ad", left_outer>, std::int64_t, true> &&
              gives<unqualified<"ad", full_outer>, std::int64_t, true>);
static_assert(std::is_same_v<unqualified<"place", inner>,
                             fail<rule::field_must_be_of_one_side, called<"place">, type<Shown>, type<Clicked>>>);
static_assert(std::is_same_v<unqualified<"colour", inner>,
                             fail<rule::field_must_be_of_a_side, called<"colour">, type<Shown>, type<Clicked>>>);
static_assert(std::is_same_v<of_right<"position", inner>,
                             fail<rule::field_must_exist, type<Clicked>, called<"position">, nothing_similar>>);
static_assert(std::is_same_v<inferred<side_reference<join_side::of_left, "place">, contract_row<Shown>>,
                             fail<rule::side_needs_a_join, called<"place">>>);

// ---- which column it is ---------------------------------------------------------------------------------------------
template <fixed_string Name, join_sort Sort>
constexpr int column_of = detail::plain_field_of<row<Sort>, Name>::index;
static_assert(column_of<"position", inner> == 2 && column_of<"price", inner> == 5);
static_assert(column_of<"ad", left_outer> == 0 && column_of<"ad", right_outer> == 3);
static_assert(column_of<"ad", full_outer> == -1, "computed: the one that is there");
static_assert(detail::unchanged_field<side_reference<join_side::of_right, "place">, row<inner>>() == 4);

// ---- derived columns ------------------------------------------------------------------------------------------------
using plus_one = binary_expression<operation::add, field_reference<"position">, literal<std::int64_t>>;
using derived = joined_row<derived_row<contract_row<Shown>, "next", plus_one>, contract_row<Clicked>, right_outer, key>;
static_assert(gives<inferred<field_reference<"next">, derived>, std::int64_t, true>);
static_assert(detail::plain_field_of<derived, "next">::index == -1);

// ---- which sides an expression looks at -----------------------------------------------------------------------------
template <class E>
constexpr detail::looked_at looks = detail::sides_looked_at<std::remove_cvref_t<E>, row<inner>>::value;
using left_only = decltype(left<"position"> > 1 && field<"ad"> == 3);
using both = decltype(left<"place"> == right<"place">);
static_assert(looks<left_only>.left_side && !looks<left_only>.right_side, "a shared key is looked at on the left");
static_assert(looks<both>.left_side && looks<both>.right_side);
static_assert(!looks<decltype(field<"price"> > 1.0)>.left_side && looks<decltype(field<"price"> > 1.0)>.right_side);

}  // namespace
}  // namespace etlantic
