#pragma once
#include <etlantic/contract/contract.hpp>
#include <etlantic/core/constant_text.hpp>
#include <etlantic/graph/load_options.hpp>
#include <etlantic/graph/result_verdict.hpp>
#include <etlantic/graph/stream.hpp>

#include <string_view>
#include <type_traits>

namespace etlantic {

/// Starts a pipeline without a struct: `from<Trade>("trades") | where(...) | ... | into("bars")`.
template <class C>
constexpr auto from(std::string_view asset) {
  using found = contract_verdict<C>;
  enforce(found{});
  if constexpr (passed<found>)
    return stream<asset_source<C>, contract_row<C>>{{constant_text(asset)}, {}, {}};
  else
    return poisoned{};
}

/// Assets for the rows that do not reach the result; empty: they are counted and dropped.
struct side_assets {
  std::string_view invalid{};          ///< rows that break the contract of the input
  std::string_view late{};             ///< rows that come too late for their window
  std::string_view invalid_results{};  ///< results that do not fit their type or break the contract of the output
};

template <auto... Options>
struct into_step {
  using step_tag = void;
  using end_tag = void;
  std::string_view asset;
  side_assets sides;
};

/// Ends a bare pipeline. What a `load` may say, an output mode and a target, may be said here: without an output mode
/// the same rule holds.
template <auto... Options>
  requires(LoadOption<std::remove_const_t<decltype(Options)>> && ...)
constexpr into_step<Options...> into(std::string_view asset, side_assets sides = {}) {
  return {constant_text(asset),
          {constant_text(sides.invalid), constant_text(sides.late), constant_text(sides.invalid_results)}};
}

/// A stream from an asset into an asset.
template <class S, auto... Options>
struct bare_pipeline {
  S chain;
  std::string_view asset;
  side_assets sides;
};

namespace detail {

template <class S>
constexpr auto judge_bare() {
  if constexpr (requires { S::source_type::asset; })
    return result_verdict<S>{};
  else
    return fail<rule::bare_pipeline_must_read_one_asset, type<typename S::source_type::contract>>{};
}

}  // namespace detail

template <Stream In, auto... Options>
constexpr auto attach(const In& in, const into_step<Options...>& step) {
  using found = decltype(detail::judge_bare<In>());
  enforce(found{});
  if constexpr (passed<found>)
    return bare_pipeline<In, Options...>{in, step.asset, step.sides};
  else
    return poisoned{};
}

}  // namespace etlantic
