#pragma once
#include <etlantic/expression/aggregate.hpp>
#include <etlantic/expression/collect_list.hpp>
#include <etlantic/expression/operators.hpp>
#include <etlantic/expression/quantile.hpp>
#include <etlantic/expression/user_aggregate.hpp>
#include <etlantic/graph/accept_late.hpp>
#include <etlantic/graph/calendar_window.hpp>
#include <etlantic/graph/correct_late.hpp>
#include <etlantic/graph/group_by.hpp>
#include <etlantic/graph/output_contract.hpp>
#include <etlantic/graph/session.hpp>
#include <etlantic/graph/sliding.hpp>
#include <etlantic/graph/stream.hpp>
#include <etlantic/graph/tumbling.hpp>

namespace etlantic {

template <class C, class Row, class... Assignments>
struct aggregate_operator {
  using aggregate_tag = void;
  using contract = C;
  using row_type = Row;
  boost::hana::tuple<Assignments...> assignments;
  Row row;
};

template <class C, class... Assignments>
struct aggregate_step {
  using step_tag = void;
  boost::hana::tuple<Assignments...> assignments;
};

/// One row of contract C per group and window. Its fields are the group's keys and the window by name, and the named
/// aggregates: `aggregate<Totals>(named<"total"> = sum(field<"amount">))`.
template <class C, class... Assignments>
constexpr auto aggregate(const Assignments&... assignments) {
  return aggregate_step<C, Assignments...>{{assignments...}};
}

namespace detail {

template <fixed_string Name, class E>
constexpr auto judge_aggregate_function() {
  if constexpr (is_aggregate_call<E>)
    return pass{};
  else
    return fail<rule::aggregate_needs_an_aggregate_function, called<Name>, E>{};
}

/// Where a field of the output contract comes from.
enum class field_origin { key, window_start, window_end, aggregate, nowhere };

template <class In>
constexpr bool is_group_key(std::string_view name) {
  if constexpr (chain<In>.group >= 0) {
    for (std::string_view key : operator_at<In, chain<In>.group>::names)
      if (key == name) return true;
  }
  return false;
}

template <class In, class... Assignments>
constexpr field_origin origin_of(std::string_view name) {
  if (assignment_index<Assignments...>(name) >= 0) return field_origin::aggregate;
  if (is_group_key<In>(name)) return field_origin::key;
  if (chain<In>.window >= 0 && name == "window_start") return field_origin::window_start;
  if (chain<In>.window >= 0 && name == "window_end") return field_origin::window_end;
  return field_origin::nowhere;
}

template <class In, class C, std::size_t I, class... Assignments>
constexpr auto judge_aggregated_field() {
  constexpr auto name = fixed<[] { return member_names<C>[I]; }>();
  using Row = typename In::row_type;
  constexpr field_origin origin = origin_of<In, Assignments...>(name.view());
  if constexpr (origin == field_origin::nowhere)
    return fail<rule::output_field_must_be_computed, type<C>, called<name>>{};
  else if constexpr (origin == field_origin::key)
    return judge_output_field<C, I, inferred<field_reference<name>, Row>>();
  else if constexpr (origin == field_origin::aggregate)
    return judge_output_field<C, I, inferred<typename assigned_to<name, Assignments...>::type, Row>>();
  else
    return judge_output_field<C, I, typed<timestamp>>();
}

template <class In, class C, class... Assignments>
constexpr auto judge_aggregate() {
  using values =
      first_failure<decltype(judge_output_name<C, Assignments::name>())...,
                    decltype(judge_aggregate_function<Assignments::name, typename Assignments::expression>())...>;
  if constexpr (!passed<values>)
    return values{};
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return first_failure<decltype(judge_aggregated_field<In, C, I, Assignments...>())...>{};
    }(std::make_index_sequence<member_count<C>>{});
}

/// The key of the group that has a name of the window beside it, for which a field of that name could stand as well.
template <class In>
constexpr std::string_view key_named_as_window() {
  if constexpr (chain<In>.group >= 0 && chain<In>.window >= 0) {
    for (std::string_view key : operator_at<In, chain<In>.group>::names)
      if (key == "window_start" || key == "window_end") return key;
  }
  return {};
}

template <class In, class C, class... Assignments>
constexpr auto judge_aggregate_into() {
  if constexpr (!passed<contract_verdict<C>>)
    return contract_verdict<C>{};
  else if constexpr (!key_named_as_window<In>().empty())
    return fail<rule::group_key_must_not_have_a_name_of_the_window,
                called<fixed<[] { return key_named_as_window<In>(); }>()>>{};
  else
    return judge_aggregate<In, C, Assignments...>();
}

}  // namespace detail

/// Whether a stream can be aggregated into contract C by these assignments.
template <class In, class C, class... Assignments>
using aggregate_verdict_of = decltype(detail::judge_aggregate_into<In, C, Assignments...>());

template <Stream In, class C, class... Assignments>
constexpr auto attach(const In& in, const aggregate_step<C, Assignments...>& step) {
  using Row = typename In::row_type;
  using found = aggregate_verdict_of<In, C, Assignments...>;
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(in, contract_row<C>{},
                                   aggregate_operator<C, Row, Assignments...>{step.assignments, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic

#include <etlantic/graph/continued.hpp>
