#pragma once
#include <etlantic/column/column.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace etlantic::delta {

/// Whether all values of a type are whole numbers of at most 64 bits: integers, times, dates and narrow decimals.
constexpr bool has_whole_values(const field_description& field) {
  switch (field.type) {
    case logical_type::int8:
    case logical_type::int16:
    case logical_type::int32:
    case logical_type::int64:
    case logical_type::date:
    case logical_type::timestamp: return true;
    case logical_type::decimal: return value_width(field) == 8;
    default: return false;
  }
}

/// Gives `use` the values of such a column where they lie; what is null has any value.
template <class Use>
auto with_whole_values(const column& of, Use use) {
  switch (value_width(*of.field)) {
    case 1: return use(of.data<std::int8_t>());
    case 2: return use(of.data<std::int16_t>());
    case 4: return use(of.data<std::int32_t>());
    default: return use(of.data<std::int64_t>());
  }
}

/// The least and the greatest of some whole numbers.
struct whole_bounds {
  std::int64_t least = INT64_MAX;
  std::int64_t greatest = INT64_MIN;

  void take(std::int64_t value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  void take(const whole_bounds& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
};

/// Widens bounds by a column of whole values without nulls.
inline void widen(const column& of, std::size_t rows, std::int64_t& least, std::int64_t& greatest) {
  with_whole_values(of, [&](const auto* values) {
    whole_bounds all{least, greatest}, b, c, d;  // one chain of comparisons would wait for itself
    std::size_t row = 0;
    for (; row + 4 <= rows; row += 4) {
      all.take(values[row]);
      b.take(values[row + 1]);
      c.take(values[row + 2]);
      d.take(values[row + 3]);
    }
    for (; row < rows; ++row) all.take(values[row]);
    for (const whole_bounds& each : {b, c, d}) all.take(each);
    least = all.least;
    greatest = all.greatest;
  });
}

}  // namespace etlantic::delta
