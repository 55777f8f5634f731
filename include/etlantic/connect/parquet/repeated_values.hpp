#pragma once
#include <etlantic/column/block.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace etlantic::parquet {

/// Whether a dictionary makes a column smaller, by a sample of its values. One of a column whose values hardly repeat
/// costs most of the time of writing it, and is thrown away when it has become too large.
inline bool has_repeated_values(std::span<const block> rows, std::size_t index) {
  constexpr std::size_t wanted = 512;
  std::size_t count = 0;
  for (const block& each : rows) count += each.rows;
  const std::size_t step = count / wanted + 1;
  std::vector<std::uint64_t> sample;
  std::size_t at = 0;
  for (const block& each : rows) {
    const column& of = each.columns[index];
    const bool is_text = of.field->type == logical_type::text || of.field->type == logical_type::binary;
    if (!of.children.empty() || of.field->type == logical_type::boolean) return true;
    const std::size_t width = is_text ? 0 : value_width(*of.field);
    for (; at < each.rows; at += step) {
      std::uint64_t value[2] = {};
      if (is_text && of.is_valid(at))
        value[0] = std::hash<std::string_view>()(of.text_at(at));
      else if (!is_text)
        std::memcpy(value, of.values.data() + at * width, width);
      sample.push_back(value[0] ^ value[1]);
    }
    at -= each.rows;
  }
  std::sort(sample.begin(), sample.end());
  const auto distinct = static_cast<std::size_t>(std::unique(sample.begin(), sample.end()) - sample.begin());
  // Of values that are all different up to some thousands, a sample repeats some all the same.
  return distinct * 4 <= sample.size() * 3;
}

}  // namespace etlantic::parquet
