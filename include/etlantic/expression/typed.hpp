#pragma once
#include <type_traits>

namespace etlantic {

/// The type of an expression over a row: `typed<T, Nullable>`, or the failure that stops it.
template <class T, bool Nullable = false>
struct typed {
  using value = T;
  static constexpr bool nullable = Nullable;
};

/// A culprit: how long the exact result would be.
template <int Digits>
struct digits_needed {};

namespace detail {

template <class E, class Row>
struct inference;

}  // namespace detail

template <class E, class Row>
using inferred = typename detail::inference<std::remove_cv_t<E>, Row>::type;

}  // namespace etlantic
