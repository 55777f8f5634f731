#pragma once
#include <etlantic/column/column.hpp>

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

/// Widens bounds by a column of whole values without nulls.
inline void widen(const column& of, std::size_t rows, std::int64_t& least, std::int64_t& greatest) {
  with_whole_values(of, [&](const auto* values) {
    auto low = least, high = greatest;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::int64_t value = values[row];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    least = low;
    greatest = high;
  });
}

}  // namespace etlantic::delta
