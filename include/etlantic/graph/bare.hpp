#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/output_mode.hpp>
#include <etlantic/graph/result_verdict.hpp>
#include <etlantic/graph/stream.hpp>

#include <string_view>

namespace etlantic {

/// Starts a pipeline without a struct: `from<Trade>("trades") | where(...) | ... | into("bars")`.
template <class C>
constexpr auto from(std::string_view asset) {
  using found = contract_verdict<C>;
  enforce(found{});
  if constexpr (passed<found>) return stream<asset_source<C>, contract_row<C>>{{asset}, {}, {}};
  else return poisoned{};
}

/// Assets for the rows that do not reach the result; empty: they are counted and dropped.
struct side_assets {
  std::string_view invalid{};          ///< rows that break the contract of the input
  std::string_view late{};             ///< rows that come too late for their window
  std::string_view invalid_results{};  ///< results that do not fit their type or break the contract of the output
};

template <output_mode... Mode>
struct into_step {
  static_assert(sizeof...(Mode) <= 1, "etlantic: a result has at most one output mode");
  using step_tag = void;
  using end_tag = void;
  std::string_view asset;
  side_assets sides;
};

/// Ends a bare pipeline. Without an output mode the same rule holds as for `load`.
template <output_mode... Mode>
constexpr into_step<Mode...> into(std::string_view asset, side_assets sides = {}) {
  return {asset, sides};
}

/// A stream from an asset into an asset.
template <class S, output_mode... Mode>
struct bare_pipeline {
  S chain;
  std::string_view asset;
  side_assets sides;
};

namespace detail {

template <class S>
constexpr auto judge_bare() {
  if constexpr (requires { S::source_type::asset; }) return result_verdict<S>{};
  else return fail<rule::bare_pipeline_must_read_one_asset, type<typename S::source_type::contract>>{};
}

}  // namespace detail

template <Stream In, output_mode... Mode>
constexpr auto attach(const In& in, const into_step<Mode...>& step) {
  using found = decltype(detail::judge_bare<In>());
  enforce(found{});
  if constexpr (passed<found>) return bare_pipeline<In, Mode...>{in, step.asset, step.sides};
  else return poisoned{};
}

}  // namespace etlantic
