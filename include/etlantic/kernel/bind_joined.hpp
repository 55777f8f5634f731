#pragma once
#include <etlantic/expression/infer_joined.hpp>
#include <etlantic/kernel/bind.hpp>
#include <etlantic/kernel/may_overflow.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// Names behind a join as columns of a block of joined rows.

namespace etlantic::kernel {

/// A value computed from the columns of a side: null where the side is missing, whatever the expression makes of nulls.
template <class E>
struct bound_present {
  using value = typename E::value;
  static constexpr bool nullable = true;
  E operand;
  std::size_t present;  // the column that says whether the side is there

  lanes<value> evaluate(chunk& at) {
    const std::uint64_t there = word_of(at.rows->columns[present].values, at.begin);
    const std::uint64_t active = at.active;
    at.active &= there;
    lanes<value> found = operand.evaluate(at);
    at.active = active;
    found.valid &= there;
    return found;
  }
};

template <class E>
inline constexpr bool may_overflow<bound_present<E>> = may_overflow<E>;

// ---- one side -------------------------------------------------------------------------------------------------------

template <class C, bool MayBeMissing>
struct joined_binder<side_row<contract_row<C>, MayBeMissing>> {
  template <fixed_string Name>
  static auto bind(const side_row<contract_row<C>, MayBeMissing>& of) {
    constexpr std::size_t index = member_index<C>(Name.view());
    return bound_field<storage_of<field_value<C, index>>, field_nullable<C, index> || MayBeMissing>{.index = of.first +
                                                                                                             index};
  }
};

template <class Row, fixed_string Added, class E, bool MayBeMissing>
struct joined_binder<side_row<derived_row<Row, Added, E>, MayBeMissing>> {
  template <fixed_string Name>
  static auto bind(const side_row<derived_row<Row, Added, E>, MayBeMissing>& of) {
    if constexpr (Added == Name) {
      auto node = kernel::bind(of.row.value, side_row<Row, false>{of.row.before, of.first, of.present});
      if constexpr (MayBeMissing)
        return bound_present<decltype(node)>{std::move(node), of.present};
      else
        return node;
    } else
      return bind_field<Name>(side_row<Row, MayBeMissing>{of.row.before, of.first, of.present});
  }
};

template <join_side Side, class Row>
struct joined_binder<lone_side_row<Side, Row>> {
  template <fixed_string Name>
  static auto bind(const lone_side_row<Side, Row>& of) {
    return bind_field<Name>(of.row);
  }
};

// ---- both sides -----------------------------------------------------------------------------------------------------

template <class L, class R, join_sort Sort, class... Keys>
struct joined_binder<joined_row<L, R, Sort, Keys...>> {
  using row = joined_row<L, R, Sort, Keys...>;
  using sides = etlantic::detail::sides_of<row>;

  template <fixed_string Name>
  static auto bind(const row& of) {
    using etlantic::detail::field_owner;
    constexpr field_owner owner = etlantic::detail::owner_of<row, Name>;
    if constexpr (owner == field_owner::right_side)
      return bind_field<Name>(sides::right_of(of));
    else if constexpr (owner == field_owner::left_side)
      return bind_field<Name>(sides::left_of(of));
    else if constexpr (Sort == join_sort::right_outer)
      return bind_field<Name>(sides::right_of(of));
    else if constexpr (Sort == join_sort::full_outer) {
      auto of_left = bind_field<Name>(sides::left_of(of));
      auto of_right = bind_field<Name>(sides::right_of(of));
      return bound_coalesce<decltype(of_left), decltype(of_right)>{std::move(of_left), std::move(of_right)};
    } else
      return bind_field<Name>(sides::left_of(of));
  }
};

template <join_side Side, fixed_string Name>
struct binder<side_reference<Side, Name>> {
  template <class L, class R, join_sort Sort, class... Keys>
  static auto bind(const side_reference<Side, Name>&, const joined_row<L, R, Sort, Keys...>& row) {
    using sides = etlantic::detail::sides_of<joined_row<L, R, Sort, Keys...>>;
    if constexpr (Side == join_side::of_left)
      return bind_field<Name>(sides::left_of(row));
    else
      return bind_field<Name>(sides::right_of(row));
  }
  template <class Row>
  static auto bind(const side_reference<Side, Name>&, const lone_side_row<Side, Row>& row) {
    return bind_field<Name>(row.row);
  }
  template <class Row, fixed_string Added, class E>
  static auto bind(const side_reference<Side, Name>& of, const derived_row<Row, Added, E>& row) {
    return bind(of, row.before);
  }
};

}  // namespace etlantic::kernel
