#pragma once
#include <limits>

namespace etlantic {

// The exact sums of decimals and integers are kept in 128 bits.
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

inline constexpr int128 int128_max = static_cast<int128>(~uint128{0} >> 1);
inline constexpr int128 int128_min = -int128_max - 1;

}  // namespace etlantic
