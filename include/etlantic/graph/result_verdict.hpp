#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/culprit.hpp>
#include <etlantic/graph/keyed.hpp>
#include <etlantic/graph/output_contract.hpp>
#include <etlantic/graph/rules.hpp>
#include <etlantic/graph/stream.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace etlantic::detail {

template <class C, std::size_t I, class Row>
constexpr auto judge_field_given() {
  constexpr auto name = fixed<[] { return member_names<C>[I]; }>();
  return judge_output_field<C, I, inferred<field_reference<name>, Row>>();
}

// A column that was derived takes the place of the contract's field of that name, so it has to fit it.
template <class C, class Row>
constexpr auto judge_rows_given() {
  if constexpr (std::is_same_v<Row, contract_row<C>>)
    return pass{};
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return first_failure<decltype(judge_field_given<C, I, Row>())...>{};
    }(std::make_index_sequence<member_count<C>>{});
}

template <class S>
constexpr auto judge_result() {
  using contract = typename contract_behind<typename S::row_type>::type;
  if constexpr (!keyed_stands_last<S>)
    return fail<rule::keyed_rows_stand_last, type<contract>>{};
  else if constexpr (chain<S>.group >= 0 || chain<S>.window >= 0)
    return fail<rule::group_must_be_aggregated, type<contract>>{};
  else
    return judge_rows_given<contract, typename S::row_type>();
}

/// Whether the rows at the end of a stream can be given out as rows of the contract behind them.
template <class S>
using result_verdict = decltype(judge_result<S>());

}  // namespace etlantic::detail
