#pragma once
#include <etlantic/expression/operators.hpp>

namespace etlantic {

/// True where none of some predicates is true, whether they are false or null; never null itself. What outputs by
/// predicates leave over: each row goes to exactly one of
///
///     outputs(named<"paid"> = t.orders | where(paid),
///             named<"large"> = t.orders | where(otherwise(paid) && large),
///             named<"rest"> = t.orders | where(otherwise(paid, large)))
template <Expression First, Expression... Rest>
constexpr auto otherwise(const First& first, const Rest&... rest) {
  return (!coalesce(first, false) && ... && !coalesce(rest, false));
}

}  // namespace etlantic
