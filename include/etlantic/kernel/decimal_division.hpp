#pragma once
#include <etlantic/core/divide_decimal.hpp>
#include <etlantic/kernel/lanes.hpp>

#include <cstdint>
#include <optional>

namespace etlantic::kernel {

/// left * 10^Digits / right as a decimal, rounded half away from zero; null where the divisor is zero. Both are int128.
template <class Result, int Digits, class L, class R>
struct bound_decimal_division {
  using value = typename Result::representation;
  static constexpr bool nullable = true;
  L left;
  R right;
  value room[lane_count]{};

  lanes<value> evaluate(chunk& at) {
    const auto l = left.evaluate(at);
    const auto r = right.evaluate(at);
    std::uint64_t valid = l.valid & r.valid;
    std::uint64_t overflow = 0;
    for (std::size_t i = 0; i < at.count; ++i) {
      const std::uint64_t row = std::uint64_t{1} << i;
      if (r.values[i] == 0) valid &= ~row;
      if ((valid & row) == 0) continue;
      const std::optional<int128> made = divide_rounded(l.values[i], r.values[i], Digits);
      constexpr int128 limit = power_of_ten(Result::precision);
      if (made && *made < limit && *made > -limit)
        room[i] = static_cast<value>(*made);
      else
        overflow |= row;
    }
    at.overflow |= overflow & at.active;
    return {room, valid};
  }
};

}  // namespace etlantic::kernel
