#pragma once
#include <etlantic/core/integer128.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/kernel/lanes.hpp>

#include <cmath>
#include <type_traits>

namespace etlantic::kernel {

/// The result of one operation; `fits` becomes false when an integer result does not fit. Divisors are not zero.
template <operation Op, class Value>
inline Value compute(Value left, Value right, bool& fits) {
  using enum operation;
  Value made{};
  if constexpr (std::is_floating_point_v<Value>) {
    if constexpr (Op == add)
      made = left + right;
    else if constexpr (Op == subtract)
      made = left - right;
    else if constexpr (Op == multiply)
      made = left * right;
    else
      made = left / right;
  } else if constexpr (Op == add)
    fits = !__builtin_add_overflow(left, right, &made);
  else if constexpr (Op == subtract)
    fits = !__builtin_sub_overflow(left, right, &made);
  else if constexpr (Op == multiply)
    fits = !__builtin_mul_overflow(left, right, &made);
  else
    made = right == -1 ? Value{0} : static_cast<Value>(left % right);  // INT64_MIN % -1 traps
  return made;
}

/// 64 results; returns a bit for each row that overflowed. Where `Op` divides, rows with divisor zero are cleared in
/// `valid` and their result is 0.
template <operation Op, class Value>
inline std::uint64_t compute_lanes(const Value* left, const Value* right, Value* into, std::uint64_t& valid) {
  std::uint64_t overflow = 0;
  for (std::size_t i = 0; i < lane_count; ++i) {
    bool fits = true;
    if constexpr (Op == operation::divide || Op == operation::remainder) {
      const bool zero = right[i] == Value{0};
      into[i] = zero ? Value{0} : compute<Op>(left[i], right[i], fits);
      valid &= ~(static_cast<std::uint64_t>(zero) << i);
    } else
      into[i] = compute<Op>(left[i], right[i], fits);
    overflow |= static_cast<std::uint64_t>(!fits) << i;
  }
  return overflow;
}

}  // namespace etlantic::kernel
