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
    constexpr std::size_t lanes = 4;  // one chain of comparisons would wait for itself
    std::int64_t low[lanes] = {least, least, least, least}, high[lanes] = {greatest, greatest, greatest, greatest};
    const auto take = [&](std::size_t lane, std::int64_t value) {
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
    };
    std::size_t row = 0;
    for (; row + lanes <= rows; row += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) take(lane, values[row + lane]);
    for (; row < rows; ++row) take(0, values[row]);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      least = low[lane] < least ? low[lane] : least;
      greatest = high[lane] > greatest ? high[lane] : greatest;
    }
  });
}

}  // namespace etlantic::delta
