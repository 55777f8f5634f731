#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <vector>

namespace etlantic::detail {

struct decimal_shape {
  int precision = 0;
  int scale = 0;
};

/// The shape of `decimal(18,2)` at the end of a text, and what stands before it; precision 0 if there is none.
inline decimal_shape take_decimal(std::string_view& text) {
  const std::size_t begin = text.rfind("decimal(");
  decimal_shape shape;
  if (begin == std::string_view::npos || text.empty() || text.back() != ')') return {};
  const char* at = text.data() + begin + 8;
  const char* end = text.data() + text.size();
  const auto precision = std::from_chars(at, end, shape.precision);
  if (precision.ec != std::errc() || precision.ptr == end || *precision.ptr != ',') return {};
  const auto scale = std::from_chars(precision.ptr + 1, end, shape.scale);
  if (scale.ec != std::errc() || scale.ptr + 1 != end) return {};
  text = text.substr(0, begin);
  return shape;
}

inline std::vector<std::string_view> parts_of_state(std::string_view schema) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= schema.size();) {
    const std::size_t end = std::min(schema.find("; ", begin), schema.size());
    parts.push_back(schema.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

/// Whether a part of a state is written as before though its decimal has more digits: sums always have 128 bits, keys
/// and extremes 64 up to 18 digits and 128 beyond.
inline bool is_wider_part(std::string_view old, std::string_view now) {
  if (old == now) return true;
  const decimal_shape before = take_decimal(old);
  const decimal_shape after = take_decimal(now);
  if (old != now || before.precision == 0 || before.scale != after.scale || after.precision < before.precision)
    return false;
  const bool same_width = (before.precision <= 18) == (after.precision <= 18);
  const std::size_t call = old.find(" = ");
  const auto calls = [&](std::string_view name) { return old.substr(call + 3, name.size()) == name; };
  if (old.starts_with("key ")) return same_width;
  if (!old.starts_with("aggregate ") || call == std::string_view::npos) return false;
  return calls("sum(") || (same_width && (calls("min(") || calls("max(")));
}

/// Whether state of one schema can be read as that of another, in which decimals have more digits and the same scale.
inline bool is_wider_state(std::string_view old, std::string_view now) {
  const std::vector<std::string_view> before = parts_of_state(old);
  const std::vector<std::string_view> after = parts_of_state(now);
  if (before.size() != after.size()) return false;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!is_wider_part(before[i], after[i])) return false;
  return true;
}

}  // namespace etlantic::detail
