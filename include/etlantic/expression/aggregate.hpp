#pragma once
#include <etlantic/expression/node.hpp>

#include <cstdint>
#include <string_view>

namespace etlantic {

enum class aggregate_function : std::uint8_t { count_rows, count, sum, min, max, avg };

constexpr std::string_view name_of(aggregate_function function) {
  constexpr std::string_view names[] = {"count", "count", "sum", "min", "max", "avg"};
  return names[static_cast<int>(function)];
}

template <aggregate_function Function, class E>
struct aggregate_call {
  static constexpr aggregate_function function = Function;
  using argument = E;
  E value;
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

}  // namespace etlantic
