#pragma once
#include <etlantic/column/compare_rows.hpp>
#include <etlantic/core/integer128.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace etlantic {

namespace detail {

template <class T>
int compare_as(const column& left, std::size_t left_row, const column& right, std::size_t right_row) {
  const T l = left.value<T>(left_row), r = right.value<T>(right_row);
  return (l > r) - (l < r);
}

/// Zeros and NaN that only their bits tell apart have an order too, so that one of several rows is always the same one.
template <class Real, class Bits>
int compare_reals(const column& left, std::size_t left_row, const column& right, std::size_t right_row) {
  const Real l = left.value<Real>(left_row), r = right.value<Real>(right_row);
  if (l < r) return -1;
  if (l > r) return 1;
  if (std::isnan(l) != std::isnan(r)) return std::isnan(l) ? 1 : -1;
  if (std::signbit(l) != std::signbit(r)) return std::signbit(l) ? -1 : 1;
  const auto left_bits = std::bit_cast<Bits>(l), right_bits = std::bit_cast<Bits>(r);
  return (left_bits > right_bits) - (left_bits < right_bits);
}

inline int compare_lists(const column& left, std::size_t left_row, const column& right, std::size_t right_row) {
  std::int32_t l = left.list_begin(left_row), r = right.list_begin(right_row);
  const std::int32_t left_end = left.list_end(left_row), right_end = right.list_end(right_row);
  for (; l < left_end && r < right_end; ++l, ++r)
    if (const int order = compare_values(left.children[0], static_cast<std::size_t>(l), right.children[0],
                                         static_cast<std::size_t>(r));
        order != 0)
      return order;
  return (l < left_end) - (r < right_end);
}

}  // namespace detail

[[gnu::used]] inline int compare_values(const column& left, std::size_t left_row, const column& right,
                                        std::size_t right_row) {
  if (const bool is_null = !left.is_valid(left_row); is_null || !right.is_valid(right_row))
    return static_cast<int>(is_null) - static_cast<int>(!right.is_valid(right_row));
  switch (left.field->type) {
    case logical_type::boolean:
      return static_cast<int>(left.is_true(left_row)) - static_cast<int>(right.is_true(right_row));
    case logical_type::int8: return detail::compare_as<std::int8_t>(left, left_row, right, right_row);
    case logical_type::int16: return detail::compare_as<std::int16_t>(left, left_row, right, right_row);
    case logical_type::int32:
    case logical_type::date: return detail::compare_as<std::int32_t>(left, left_row, right, right_row);
    case logical_type::int64:
    case logical_type::timestamp:
    case logical_type::duration: return detail::compare_as<std::int64_t>(left, left_row, right, right_row);
    case logical_type::uint8: return detail::compare_as<std::uint8_t>(left, left_row, right, right_row);
    case logical_type::uint16: return detail::compare_as<std::uint16_t>(left, left_row, right, right_row);
    case logical_type::uint32: return detail::compare_as<std::uint32_t>(left, left_row, right, right_row);
    case logical_type::uint64: return detail::compare_as<std::uint64_t>(left, left_row, right, right_row);
    case logical_type::enumeration:
      return value_width(*left.field) == 1 ? detail::compare_as<std::uint8_t>(left, left_row, right, right_row)
                                           : detail::compare_as<std::uint16_t>(left, left_row, right, right_row);
    case logical_type::decimal:
      return value_width(*left.field) == 8 ? detail::compare_as<std::int64_t>(left, left_row, right, right_row)
                                           : detail::compare_as<int128>(left, left_row, right, right_row);
    case logical_type::float32: return detail::compare_reals<float, std::uint32_t>(left, left_row, right, right_row);
    case logical_type::float64: return detail::compare_reals<double, std::uint64_t>(left, left_row, right, right_row);
    case logical_type::text:
    case logical_type::binary: {
      const int order = left.text_at(left_row).compare(right.text_at(right_row));
      return (order > 0) - (order < 0);
    }
    case logical_type::structure:
      for (std::size_t i = 0; i < left.children.size(); ++i)
        if (const int order = compare_values(left.children[i], left_row, right.children[i], right_row); order != 0)
          return order;
      return 0;
    case logical_type::list: return detail::compare_lists(left, left_row, right, right_row);
  }
  return 0;
}

[[gnu::used]] inline int compare_rows(const block& left, std::size_t left_row, const block& right,
                                      std::size_t right_row, std::size_t columns) {
  for (std::size_t i = 0; i < columns; ++i)
    if (const int order = compare_values(left.columns[i], left_row, right.columns[i], right_row); order != 0)
      return order;
  return 0;
}

}  // namespace etlantic
