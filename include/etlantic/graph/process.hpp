#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/graph/keyed.hpp>
#include <etlantic/graph/process_context.hpp>

#include <type_traits>

namespace etlantic {

template <class Row, class Behaviour, bool JudgesLate>
struct process_operator {
  using stateful_tag = void;
  using keyed_tag = void;
  using process_tag = void;
  using row_type = Row;
  static constexpr bool takes_window = false;
  static constexpr bool takes_group = true;
  static constexpr bool judges_late = JudgesLate;
  Behaviour behaviour;
  Row row;
};

template <class Behaviour>
struct process_step {
  using step_tag = void;
  Behaviour behaviour;
};

/// Hands the rows of each group to a behaviour of the user's own, with a state that it keeps for the group:
///
///     struct Visits {                  // the state, a contract
///       std::int64_t pages;
///     };
///     struct CountPages {
///       using state = Visits;
///       using result = VisitLength;    // a contract too
///       duration pause{30min};         // settings
///
///       void on_row(Visits& visits, const Click& click, process_context<VisitLength>& context) const;
///       void on_timer(Visits& visits, timestamp time, process_context<VisitLength>& context) const;  // if there are
///       timers
///     };
///     t.clicks | watermark<"time">(1min) | group_by<"visitor"> | process(CountPages{.pause = t.pause})
///
/// Rows come in source order; when the batch ends, the timers come that the watermark has reached, in the order of
/// their times. Where there is a watermark, a row that comes behind it is late. The state of a group starts as
/// `state{}` and stays until the behaviour forgets it.
template <class Behaviour>
constexpr process_step<Behaviour> process(const Behaviour& behaviour = {}) {
  return {behaviour};
}

namespace detail {

/// The contract of rows that a struct can hold as they are: no selection, and no column derived in a field's place.
template <class Row>
struct row_as_struct {
  using type = void;
};
template <class C>
struct row_as_struct<contract_row<C>> {
  using type = C;
};
template <class Row, fixed_string Name, class E>
struct row_as_struct<derived_row<Row, Name, E>> {
  using before = typename row_as_struct<Row>::type;
  static constexpr auto pick() {
    if constexpr (std::is_void_v<before>)
      return std::type_identity<void>{};
    else if constexpr (member_index<before>(Name.view()) < member_count<before>)
      return std::type_identity<void>{};
    else
      return std::type_identity<before>{};
  }
  using type = typename decltype(pick())::type;
};

template <class B>
concept NamesStateAndResult = requires {
  typename B::state;
  typename B::result;
};
template <class B, class Row>
concept TakesRows = requires(const B& of, typename B::state& kept, const Row& row,
                             process_context<typename B::result>& context) { of.on_row(kept, row, context); };
template <class B>
concept TakesTimers = requires(const B& of, typename B::state& kept, timestamp time,
                               process_context<typename B::result>& context) { of.on_timer(kept, time, context); };
template <class B>
concept HasOnRow = requires { &B::on_row; };
template <class B>
concept HasOnTimer = requires { &B::on_timer; };

template <class B>
constexpr auto judge_behaviour_types() {
  if constexpr (!NamesStateAndResult<B>)
    return fail<rule::process_must_name_state_and_result, type<B>>{};
  else
    return first_failure<contract_verdict<typename B::state>, contract_verdict<typename B::result>>{};
}

template <class In, class B>
constexpr auto judge_process() {
  using types = decltype(judge_behaviour_types<B>());
  using Row = typename row_as_struct<typename In::row_type>::type;
  if constexpr (!passed<types>)
    return types{};
  else if constexpr (std::is_void_v<Row>)
    return fail<rule::process_takes_rows_as_they_are, type<B>>{};
  else if constexpr (!TakesRows<B, Row> && !HasOnRow<B>)
    return fail<rule::process_needs_on_row, type<B>, type<Row>>{};
  else if constexpr (!TakesRows<B, Row>)
    return fail<rule::process_must_be_able_to_call_on_row, type<B>, type<typename B::state>, type<Row>,
                type<typename B::result>>{};
  else if constexpr (HasOnTimer<B> && !TakesTimers<B>)
    return fail<rule::process_must_be_able_to_call_on_timer, type<B>, type<typename B::state>,
                type<typename B::result>>{};
  else if constexpr (TakesTimers<B> && chain<In>.watermark < 0)
    return fail<rule::process_timers_need_a_watermark, type<B>>{};
  else
    return pass{};
}

}  // namespace detail

template <Stream In, class Behaviour>
constexpr auto attach(const In& in, const process_step<Behaviour>& step) {
  using Row = typename In::row_type;
  using found = decltype(detail::judge_process<In, Behaviour>());
  enforce(found{});
  if constexpr (passed<found>)
    return detail::append_operator(
        in, contract_row<typename Behaviour::result>{},
        process_operator<Row, Behaviour, (detail::chain<In>.watermark >= 0)>{step.behaviour, in.row});
  else
    return poisoned{};
}

}  // namespace etlantic
