#pragma once
#include <etlantic/expression/infer.hpp>
#include <etlantic/expression/joined_row.hpp>
#include <etlantic/expression/mentions.hpp>

#include <type_traits>

// The types of fields behind a join, and which side they are of.

namespace etlantic::detail {

template <class Row, fixed_string Name>
inline constexpr bool has_field = passed<typename find_field<Row, Name>::type>;

template <fixed_string Name, class... Keys>
inline constexpr bool is_shared_key = ((Keys::left_name == Name && Keys::right_name == Name) || ...);

/// Whose field an unqualified name is.
enum class field_owner { nobody, left_side, right_side, both_sides, shared_key };

template <class Row, fixed_string Name>
inline constexpr field_owner owner_of = field_owner::nobody;
template <class L, class R, join_sort Sort, class... Keys, fixed_string Name>
inline constexpr field_owner owner_of<joined_row<L, R, Sort, Keys...>, Name> =
    is_shared_key<Name, Keys...>               ? field_owner::shared_key
    : has_field<L, Name> && has_field<R, Name> ? field_owner::both_sides
    : has_field<L, Name>                       ? field_owner::left_side
    : has_field<R, Name>                       ? field_owner::right_side
                                               : field_owner::nobody;

/// The field of a side, null where the side may be missing.
template <class Row, bool MayBeMissing, fixed_string Name>
struct find_field<side_row<Row, MayBeMissing>, Name> {
  static constexpr auto pick() {
    using found = typename find_field<Row, Name>::type;
    if constexpr (!passed<found>)
      return found{};
    else
      return typed<typename found::value, found::nullable || MayBeMissing>{};
  }
  using type = decltype(pick());
};

template <class Row>
struct sides_of;
template <class L, class R, join_sort Sort, class... Keys>
struct sides_of<joined_row<L, R, Sort, Keys...>> {
  using left_row = side_row<L, keeps_right(Sort)>;
  using right_row = side_row<R, keeps_left(Sort)>;
  using left_contract = typename given_row<L>::contract;
  using right_contract = typename given_row<R>::contract;
  /// The columns of a block of joined rows: those of the left side, those of the right one, and whether each is there.
  static constexpr std::size_t left_columns = member_count<left_contract>;
  static constexpr std::size_t columns = left_columns + member_count<right_contract>;

  static constexpr left_row left_of(const joined_row<L, R, Sort, Keys...>& row) { return {row.left_row, 0, columns}; }
  static constexpr right_row right_of(const joined_row<L, R, Sort, Keys...>& row) {
    return {row.right_row, left_columns, columns + 1};
  }
};

template <class L, class R, join_sort Sort, class... Keys, fixed_string Name>
struct find_field<joined_row<L, R, Sort, Keys...>, Name> {
  using row = joined_row<L, R, Sort, Keys...>;
  static constexpr auto pick() {
    using sides = sides_of<row>;
    constexpr field_owner owner = owner_of<row, Name>;
    if constexpr (owner == field_owner::left_side)
      return typename find_field<typename sides::left_row, Name>::type{};
    else if constexpr (owner == field_owner::right_side)
      return typename find_field<typename sides::right_row, Name>::type{};
    else if constexpr (owner == field_owner::shared_key) {
      using of_left = typename find_field<L, Name>::type;
      using of_right = typename find_field<R, Name>::type;
      // A null key matches nothing, so that it comes out of a side without a match only.
      constexpr bool nullable = (keeps_left(Sort) && of_left::nullable) || (keeps_right(Sort) && of_right::nullable);
      return typed<typename of_left::value, nullable>{};
    } else if constexpr (owner == field_owner::both_sides)
      return fail<rule::field_must_be_of_one_side, called<Name>, etlantic::type<typename sides::left_contract>,
                  etlantic::type<typename sides::right_contract>>{};
    else
      return fail<rule::field_must_be_of_a_side, called<Name>, etlantic::type<typename sides::left_contract>,
                  etlantic::type<typename sides::right_contract>>{};
  }
  using type = decltype(pick());
};

template <join_side Side, fixed_string Name, class Row>
struct inference<side_reference<Side, Name>, Row> {
  using type = fail<rule::side_needs_a_join, called<Name>>;
};
template <join_side Side, fixed_string Name, class L, class R, join_sort Sort, class... Keys>
struct inference<side_reference<Side, Name>, joined_row<L, R, Sort, Keys...>> {
  using sides = sides_of<joined_row<L, R, Sort, Keys...>>;
  using row = std::conditional_t<Side == join_side::of_left, typename sides::left_row, typename sides::right_row>;
  using type = typename find_field<row, Name>::type;
};
template <join_side Side, fixed_string Name, class Row, fixed_string Added, class E>
struct inference<side_reference<Side, Name>, derived_row<Row, Added, E>> : inference<side_reference<Side, Name>, Row> {
};

template <join_side Side, class Row, fixed_string Name>
struct find_field<lone_side_row<Side, Row>, Name> : find_field<Row, Name> {};
template <join_side Side, fixed_string Name, class Row>
struct inference<side_reference<Side, Name>, lone_side_row<Side, Row>> : find_field<Row, Name> {};

// ---- columns that are given on as they are --------------------------------------------------------------------------

template <class Row, bool MayBeMissing, fixed_string Name>
struct plain_field_of<side_row<Row, MayBeMissing>, Name> {
  static constexpr int index = plain_field_of<Row, Name>::index;
};

template <class Row, join_side Side, fixed_string Name>
constexpr int plain_field_of_side() {
  using sides = sides_of<Row>;
  if constexpr (Side == join_side::of_left)
    return plain_field_of<typename sides::left_row, Name>::index;
  else {
    constexpr int index = plain_field_of<typename sides::right_row, Name>::index;
    return index < 0 ? -1 : index + static_cast<int>(sides::left_columns);
  }
}

template <class L, class R, join_sort Sort, class... Keys, fixed_string Name>
struct plain_field_of<joined_row<L, R, Sort, Keys...>, Name> {
  using row = joined_row<L, R, Sort, Keys...>;
  static constexpr int index = [] {
    constexpr field_owner owner = owner_of<row, Name>;
    constexpr bool shared = owner == field_owner::shared_key;
    if constexpr (owner == field_owner::left_side || (shared && !keeps_right(Sort)))
      return plain_field_of_side<row, join_side::of_left, Name>();
    else if constexpr (owner == field_owner::right_side || (shared && Sort == join_sort::right_outer))
      return plain_field_of_side<row, join_side::of_right, Name>();
    else
      return -1;
  }();
};

/// What a qualified name stands for, if it is a column as it is.
template <join_side Side, fixed_string Name, class Row>
struct unchanged_side_field {
  static constexpr int index = -1;
};
template <join_side Side, fixed_string Name, class L, class R, join_sort Sort, class... Keys>
struct unchanged_side_field<Side, Name, joined_row<L, R, Sort, Keys...>> {
  static constexpr int index = plain_field_of_side<joined_row<L, R, Sort, Keys...>, Side, Name>();
};
template <join_side Side, fixed_string Name, class Row, fixed_string Added, class E>
struct unchanged_side_field<Side, Name, derived_row<Row, Added, E>> : unchanged_side_field<Side, Name, Row> {};

template <join_side Side, fixed_string Name>
struct column_of_expression<side_reference<Side, Name>> {
  template <class Row>
  static constexpr int index = unchanged_side_field<Side, Name, Row>::index;
};

// ---- which sides an expression looks at -----------------------------------------------------------------------------

struct looked_at {
  bool left_side = false;
  bool right_side = false;
  constexpr looked_at operator+(looked_at other) const {
    return {left_side || other.left_side, right_side || other.right_side};
  }
};

template <class E, class Row>
struct sides_looked_at {
  static constexpr looked_at value{};
};
template <join_side Side, fixed_string Name, class Row>
struct sides_looked_at<side_reference<Side, Name>, Row> {
  static constexpr looked_at value{Side == join_side::of_left, Side == join_side::of_right};
};
template <fixed_string Name, class Row>
struct sides_looked_at<field_reference<Name>, Row> {
  // A shared key is looked at on the left: in rows that are compared it is the same on both sides.
  static constexpr looked_at value{owner_of<Row, Name> != field_owner::right_side,
                                   owner_of<Row, Name> == field_owner::right_side};
};
template <operation Op, class L, class R, class Row>
struct sides_looked_at<binary_expression<Op, L, R>, Row> {
  static constexpr looked_at value = sides_looked_at<L, Row>::value + sides_looked_at<R, Row>::value;
};
template <operation Op, class E, class Row>
struct sides_looked_at<unary_expression<Op, E>, Row> : sides_looked_at<E, Row> {};

}  // namespace etlantic::detail
