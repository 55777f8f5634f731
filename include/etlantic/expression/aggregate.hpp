#pragma once
#include <etlantic/expression/node.hpp>

#include <cstdint>
#include <string_view>

namespace etlantic {

enum class aggregate_function : std::uint8_t {
  count_rows,
  count,
  sum,
  min,
  max,
  avg,
  min_by,
  max_by,
  count_if,
  first,
  last,
  variance,
  stddev,
  count_distinct,
  aggregated_by,
  approximate_count_distinct,
  approximate_quantile,
  collect_list
};

constexpr std::string_view name_of(aggregate_function function) {
  constexpr std::string_view names[] = {"count",
                                        "count",
                                        "sum",
                                        "min",
                                        "max",
                                        "avg",
                                        "min_by",
                                        "max_by",
                                        "count_if",
                                        "first",
                                        "last",
                                        "variance",
                                        "stddev",
                                        "count_distinct",
                                        "aggregated_by",
                                        "approximate_count_distinct",
                                        "approximate_quantile",
                                        "collect_list"};
  return names[static_cast<int>(function)];
}

template <aggregate_function Function, class E>
struct aggregate_call {
  static constexpr aggregate_function function = Function;
  using argument = E;
  E value;
};

/// The argument of `first` and `last`: a value, and which row came before which.
template <class V>
struct in_source_order {
  V value;
};
/// The argument of `min_by` and `max_by`.
template <class V, class By>
struct value_by {
  V value;
  By by;
};

template <class E>
inline constexpr bool is_aggregate_call = false;
template <aggregate_function Function, class E>
inline constexpr bool is_aggregate_call<aggregate_call<Function, E>> = true;

/// Number of rows: int64.
constexpr auto count() { return aggregate_call<aggregate_function::count_rows, literal<bool>>{{true}}; }

/// Number of rows where the argument is not null: int64.
template <Expression E>
constexpr auto count(const E& of) {
  return aggregate_call<aggregate_function::count, E>{of};
}

/// Exact sum of integers (int64) and decimal<P,S> (decimal<min(P+10, 38), S>); plain addition in source order of
/// floating point (float64). Null when there is no value that is not null. A sum that does not fit its type is an
/// error, never a wrong number.
template <Expression E>
constexpr auto sum(const E& of) {
  return aggregate_call<aggregate_function::sum, E>{of};
}

/// Least value, ignoring nulls. Text is ordered by unsigned bytes, NaN is greater than every number.
template <Expression E>
constexpr auto min(const E& of) {
  return aggregate_call<aggregate_function::min, E>{of};
}

/// Greatest value, ignoring nulls; ordered as `min`.
template <Expression E>
constexpr auto max(const E& of) {
  return aggregate_call<aggregate_function::max, E>{of};
}

/// Mean, ignoring nulls: float64 of integers and floating point; of decimal<P,S> a decimal<P+4, S+4> (both at most
/// 38) rounded half away from zero, as Spark does.
template <Expression E>
constexpr auto avg(const E& of) {
  return aggregate_call<aggregate_function::avg, E>{of};
}

/// The value in the row where `by` is least, which may be null; rows where `by` is null do not count. Of rows with
/// equal `by` the one later in source order counts. `by` is ordered as in `min`.
template <Expression V, Expression By>
constexpr auto min_by(const V& value, const By& by) {
  return aggregate_call<aggregate_function::min_by, value_by<V, By>>{{value, by}};
}

/// The value in the row where `by` is greatest, so that `max_by(field<"price">, field<"time">)` is the latest price; as
/// `min_by` otherwise.
template <Expression V, Expression By>
constexpr auto max_by(const V& value, const By& by) {
  return aggregate_call<aggregate_function::max_by, value_by<V, By>>{{value, by}};
}

/// Number of rows for which a predicate is true: int64.
template <Expression E>
constexpr auto count_if(const E& predicate) {
  return aggregate_call<aggregate_function::count_if, E>{predicate};
}

/// The value in the first row in source order; null if it is null there.
template <Expression E>
constexpr auto first(const E& of) {
  return aggregate_call<aggregate_function::first, in_source_order<E>>{{of}};
}

/// The value in the last row in source order; null if it is null there.
template <Expression E>
constexpr auto last(const E& of) {
  return aggregate_call<aggregate_function::last, in_source_order<E>>{{of}};
}

/// Exact number of different values, ignoring nulls: int64. Each group keeps all of its values until it is closed. Both
/// zeros are one value, and so are all NaN.
template <Expression E>
constexpr auto count_distinct(const E& of) {
  return aggregate_call<aggregate_function::count_distinct, E>{of};
}

/// About how many different values there are, ignoring nulls: int64. Exact up to 256 of them; a standard error of 1.6 %
/// for more, in 4 KiB a group however many there are. The same values give the same number, in whatever order and parts
/// they come. Values are different as for `count_distinct`.
template <Expression E>
constexpr auto approximate_count_distinct(const E& of) {
  return aggregate_call<aggregate_function::approximate_count_distinct, E>{of};
}

/// Sample variance of numbers, ignoring nulls: float64, null for less than two values.
template <Expression E>
constexpr auto variance(const E& of) {
  return aggregate_call<aggregate_function::variance, E>{of};
}

/// Sample standard deviation: the root of `variance`.
template <Expression E>
constexpr auto stddev(const E& of) {
  return aggregate_call<aggregate_function::stddev, E>{of};
}

}  // namespace etlantic
