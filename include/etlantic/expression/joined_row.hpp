#pragma once
#include <etlantic/core/fixed_string.hpp>
#include <etlantic/core/join_sort.hpp>
#include <etlantic/expression/row.hpp>

#include <cstddef>

namespace etlantic {

// What a row holds behind a join, and how expressions name its two sides.

/// A field of one side of a join: `left<"price">`, `right<"price">`.
template <join_side Side, fixed_string Name>
struct side_reference {
  using expression_tag = void;
};
template <fixed_string Name>
inline constexpr side_reference<join_side::of_left, Name> left{};
template <fixed_string Name>
inline constexpr side_reference<join_side::of_right, Name> right{};

/// A pair of fields, one of each side, whose values are equal in matching rows.
template <fixed_string Left, fixed_string Right>
struct key_pair {
  static constexpr auto left_name = Left;
  static constexpr auto right_name = Right;
};

/// The fields of a row of each side. A name that only one side has stands for that side; a key that has one name on
/// both sides stands for the value that they share.
template <class LeftRow, class RightRow, join_sort Sort, class... Keys>
struct joined_row {
  using joined_tag = void;
  LeftRow left_row;
  RightRow right_row;
};

/// The row of one side inside a block of joined rows: its columns begin at `first`, and `present` is the column that
/// says whether the side is there at all, for a side that may be missing.
template <class Row, bool MayBeMissing>
struct side_row {
  using joined_tag = void;
  Row row;
  std::size_t first;
  std::size_t present;
};

/// The row of one side by itself, where expressions over the join look at nothing else.
template <join_side Side, class Row>
struct lone_side_row {
  using joined_tag = void;
  Row row;
};

namespace detail {

/// The row that a block holds while derived columns are still expressions over it.
template <class Row>
struct plain_base {
  using type = Row;
  static constexpr const Row& of(const Row& row) { return row; }
};
template <class Row, fixed_string Name, class E>
struct plain_base<derived_row<Row, Name, E>> {
  using type = typename plain_base<Row>::type;
  static constexpr const type& of(const derived_row<Row, Name, E>& row) { return plain_base<Row>::of(row.before); }
};

/// The same row as seen behind a stage that gave out its plain base: what was selected is a contract by then.
template <class Row>
struct given_row;
template <class C>
struct given_row<contract_row<C>> {
  using contract = C;
  using type = contract_row<C>;
  static constexpr type of(const contract_row<C>&) { return {}; }
};
template <class Row, class C, class... Assignments>
struct given_row<selected_row<Row, C, Assignments...>> {
  using contract = C;
  using type = contract_row<C>;
  static constexpr type of(const selected_row<Row, C, Assignments...>&) { return {}; }
};
template <class Row, fixed_string Name, class E>
struct given_row<derived_row<Row, Name, E>> {
  using contract = typename given_row<Row>::contract;
  using type = derived_row<typename given_row<Row>::type, Name, E>;
  static constexpr type of(const derived_row<Row, Name, E>& row) { return {given_row<Row>::of(row.before), row.value}; }
};

}  // namespace detail
}  // namespace etlantic
