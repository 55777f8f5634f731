#pragma once
#include <etlantic/core/decimal.hpp>
#include <etlantic/core/integer128.hpp>

#include <optional>

namespace etlantic {

namespace detail {

struct wide_quotient {
  uint128 quotient = 0;
  uint128 rest = 0;
  bool fits = true;
};

/// (high * 2^128 + low) / divisor, bit by bit. The divisor is below 2^127, so that twice a rest fits.
constexpr wide_quotient divide_wide(uint128 high, uint128 low, uint128 divisor) {
  wide_quotient made;
  made.fits = high < divisor;
  if (!made.fits) return made;
  made.rest = high;
  for (int bit = 127; bit >= 0; --bit) {
    made.rest = made.rest << 1 | ((low >> bit) & 1);
    made.quotient <<= 1;
    if (made.rest >= divisor) {
      made.rest -= divisor;
      made.quotient |= 1;
    }
  }
  return made;
}

/// The upper half of a product; the lower one is what the plain product gives.
constexpr uint128 upper_half_of_product(uint128 a, uint128 b) {
  constexpr uint128 low_half = ~std::uint64_t{0};
  const uint128 a_low = a & low_half, a_high = a >> 64, b_low = b & low_half, b_high = b >> 64;
  const uint128 low = a_low * b_low;
  const uint128 middle = a_high * b_low + (low >> 64);
  const uint128 other_middle = a_low * b_high + (middle & low_half);
  return a_high * b_high + (middle >> 64) + (other_middle >> 64);
}

}  // namespace detail

/// dividend * 10^digits / divisor, rounded half away from zero; nothing where the quotient needs more than 127 bits.
/// The divisor is not zero, `digits` is 0 to 38.
constexpr std::optional<int128> divide_rounded(int128 dividend, int128 divisor, int digits) {
  const bool negative = (dividend < 0) != (divisor < 0);
  const uint128 from = dividend < 0 ? uint128{0} - static_cast<uint128>(dividend) : static_cast<uint128>(dividend);
  const uint128 by = divisor < 0 ? uint128{0} - static_cast<uint128>(divisor) : static_cast<uint128>(divisor);
  const auto factor = static_cast<uint128>(power_of_ten(digits));
  detail::wide_quotient made;
  if (uint128 scaled = 0; !__builtin_mul_overflow(from, factor, &scaled))
    made = {scaled / by, scaled % by, true};
  else
    made = detail::divide_wide(detail::upper_half_of_product(from, factor), from * factor, by);
  if (!made.fits) return {};
  if (made.rest >= by - made.rest) ++made.quotient;
  if (made.quotient > static_cast<uint128>(int128_max)) return {};
  const auto quotient = static_cast<int128>(made.quotient);
  return negative ? -quotient : quotient;
}

}  // namespace etlantic
