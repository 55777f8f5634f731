#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace etlantic {

/// Letters to insert, remove, change or swap with their neighbour to get from one word to the other; capitals do not
/// matter. Words of more than 64 letters count as far apart. O(|from| |to|); optimal string alignment.
constexpr std::size_t edit_distance(std::string_view from, std::string_view to) {
  constexpr std::size_t longest = 64;
  if (from.size() > longest || to.size() > longest) return longest;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::array<std::size_t, longest + 1> before_previous{}, previous{}, current{};
  for (std::size_t j = 0; j <= to.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = lower(from[i - 1]) == lower(to[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0u : 1u)});
      if (i > 1 && j > 1 && lower(from[i - 1]) == lower(to[j - 2]) && lower(from[i - 2]) == lower(to[j - 1]))
        current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
    before_previous = previous;
    previous = current;
  }
  return previous[to.size()];
}

}  // namespace etlantic
