#pragma once
#include <etlantic/expression/infer.hpp>

#include <type_traits>

namespace etlantic {

/// The argument of `approximate_quantile`: a value, and which share of all values lies at or below the result.
template <class E, int Share, int Of>
struct quantile_of {
  E value;
};

/// About the value that `Share` of `Of` values do not exceed: `approximate_quantile<50>(field<"price">)` is the median,
/// `approximate_quantile<999, 1000>(field<"wait">)` what 99.9 % of the waits do not exceed. Of integers, floating
/// point, decimals and durations, in their own type; null without values.
///
/// Of n values the result is within 1/128 (0.8 %) of the one at place n * Share / Of, rounded up, in their order; the
/// least and the greatest are exact. docs/expressions.md says how far values may be apart for that. The same values
/// give the same result, in whatever order and parts they come.
template <int Share, int Of = 100, Expression E>
constexpr auto approximate_quantile(const E& of) {
  return aggregate_call<aggregate_function::approximate_quantile, quantile_of<E, Share, Of>>{{of}};
}

/// A culprit: the share that was asked for.
template <int Share, int Of>
struct share {};

namespace detail {

/// The type of the argument, for the kernel.
template <class T, int Share, int Of>
struct quantile_value {};

template <class E, int Share, int Of, class Row>
struct inference<quantile_of<E, Share, Of>, Row> {
  static constexpr auto pick() {
    using value = inferred<E, Row>;
    if constexpr (!passed<value>)
      return value{};
    else
      return typed<quantile_value<typename value::value, Share, Of>, value::nullable>{};
  }
  using type = decltype(pick());
};

template <class E, int Share, int Of, class Row>
struct inference<aggregate_call<aggregate_function::approximate_quantile, quantile_of<E, Share, Of>>, Row> {
  static constexpr auto pick() {
    using value = inferred<E, Row>;
    if constexpr (!passed<value>)
      return value{};
    else if constexpr (Of < 1 || Share < 0 || Share > Of)
      return fail<rule::quantile_must_lie_between_0_and_1, share<Share, Of>>{};
    else if constexpr (!is_number<typename value::value> && !std::is_same_v<typename value::value, duration>)
      return fail<rule::aggregate_must_suit_its_type, called<"approximate_quantile">,
                  etlantic::type<typename value::value>>{};
    else
      return typed<typename value::value, value::nullable>{};
  }
  using type = decltype(pick());
};

}  // namespace detail
}  // namespace etlantic
