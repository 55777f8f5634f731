#pragma once
#include <cstdint>

namespace bench {

/// What a decoder made of house lines. Two decoders that agree on it read the same values.
struct house_digest {
  std::int64_t valid = 0;
  std::int64_t invalid = 0;
  std::int64_t customers =
      0;  ///< sums of the columns, each weighted by something else so that columns cannot be mixed up
  std::int64_t cents = 0;
  std::int64_t statuses = 0;
  std::int64_t times = 0;
  std::int64_t orders = 0;

  friend bool operator==(const house_digest&, const house_digest&) = default;
};

}  // namespace bench
