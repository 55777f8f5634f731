#pragma once
#include <etlantic/expression/operators.hpp>
#include <etlantic/graph/output_contract.hpp>
#include <etlantic/graph/stream.hpp>

namespace etlantic {

template <class C>
struct select_operator {
  using select_tag = void;
  using contract = C;
};

template <class C, class... Assignments>
struct select_step {
  using step_tag = void;
  boost::hana::tuple<Assignments...> assignments;
};

/// Turns the rows into rows of contract C: `select<Net>(named<"total"> = field<"gross"> - field<"tax">)`. Fields that
/// are not named are taken over from the field of the same name.
template <class C, class... Assignments>
constexpr auto select(const Assignments&... assignments) {
  return select_step<C, Assignments...>{{assignments...}};
}

namespace detail {

/// A field of both sides of a join is there, and not to be told apart.
template <class Found>
inline constexpr bool names_two_fields = false;
template <class... Culprits>
inline constexpr bool names_two_fields<fail<rule::field_must_be_of_one_side, Culprits...>> = true;

template <class Row, class C, std::size_t I, class... Assignments>
constexpr auto judge_selected_field() {
  constexpr auto name = fixed<[] { return member_names<C>[I]; }>();
  using found = typename find_field<selected_row<Row, C, Assignments...>, name>::type;
  if constexpr (names_two_fields<found>)
    return found{};
  else if constexpr (assignment_index<Assignments...>(name.view()) < 0 && !passed<found>)
    return fail<rule::output_field_must_be_computed, type<C>, called<name>>{};
  else
    return judge_output_field<C, I, found>();
}

template <class Row, class C, class... Assignments>
constexpr auto judge_select() {
  using values = first_failure<decltype(judge_output_name<C, Assignments::name>())...,
                               decltype(judge_row_value<Assignments::name, typename Assignments::expression>())...>;
  if constexpr (!passed<values>)
    return values{};
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return first_failure<decltype(judge_selected_field<Row, C, I, Assignments...>())...>{};
    }(std::make_index_sequence<member_count<C>>{});
}

template <class Row, class C, class... Assignments>
constexpr auto judge_select_into() {
  if constexpr (passed<contract_verdict<C>>)
    return judge_select<Row, C, Assignments...>();
  else
    return contract_verdict<C>{};
}

}  // namespace detail

/// Whether rows can be turned into contract C by these assignments.
template <class Row, class C, class... Assignments>
using select_verdict = decltype(detail::judge_select_into<Row, C, Assignments...>());

template <Stream In, class C, class... Assignments>
constexpr auto attach(const In& in, const select_step<C, Assignments...>& step) {
  using Row = typename In::row_type;
  using found = select_verdict<Row, C, Assignments...>;
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, selected_row<Row, C, Assignments...>{in.row, step.assignments},
                                   select_operator<C>{});
  else
    return poisoned{};
}

}  // namespace etlantic
