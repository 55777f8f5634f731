#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/culprit.hpp>
#include <etlantic/core/verdict.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/expression/row.hpp>
#include <etlantic/expression/rules.hpp>
#include <etlantic/expression/typed.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace etlantic::detail {

template <class Row, fixed_string Name>
struct find_field;

template <class C, fixed_string Name>
struct find_field<contract_row<C>, Name> {
  static constexpr std::size_t at = member_index<C>(Name.view());
  static constexpr auto pick() {
    if constexpr (at < member_count<C>)
      return typed<field_value<C, at>, field_nullable<C, at>>{};
    else {
      constexpr int near = closest_name(member_names<C>, Name.view());
      if constexpr (near < 0)
        return fail<rule::field_must_exist, etlantic::type<C>, called<Name>, nothing_similar>{};
      else
        return fail<rule::field_must_exist, etlantic::type<C>, called<Name>,
                    did_you_mean<called<fixed<[] { return member_names<C>[static_cast<std::size_t>(near)]; }>()>>>{};
    }
  }
  using type = decltype(pick());
};

template <class Row, fixed_string Added, class E, fixed_string Name>
struct find_field<derived_row<Row, Added, E>, Name> {
  static constexpr auto pick() {
    if constexpr (Added == Name)
      return inferred<E, Row>{};
    else
      return typename find_field<Row, Name>::type{};
  }
  using type = decltype(pick());
};

/// The expression that is assigned to a name, or the field of that name.
template <fixed_string Name, class... Assignments>
struct assigned_to {
  using type = field_reference<Name>;
};
template <fixed_string Name, class E, class... Rest>
struct assigned_to<Name, assignment<Name, E>, Rest...> {
  using type = E;
};
template <fixed_string Name, class First, class... Rest>
struct assigned_to<Name, First, Rest...> : assigned_to<Name, Rest...> {};

template <class Row, class C, class... Assignments, fixed_string Name>
struct find_field<selected_row<Row, C, Assignments...>, Name> {
  static constexpr auto pick() {
    if constexpr (member_index<C>(Name.view()) < member_count<C>)
      return inferred<typename assigned_to<Name, Assignments...>::type, Row>{};
    else
      return typename find_field<contract_row<C>, Name>::type{};  // names the culprit
  }
  using type = decltype(pick());
};

template <fixed_string Name, class Row>
struct inference<field_reference<Name>, Row> {
  using type = typename find_field<Row, Name>::type;
};

template <class T, class Row>
struct inference<literal<T>, Row> {
  using type = typed<T>;
};
template <class Row>
struct inference<literal<std::string_view>, Row> {
  using type = typed<text>;
};

template <class E>
inline constexpr bool is_integer_literal = std::is_same_v<E, literal<std::int64_t>>;

}  // namespace etlantic::detail
