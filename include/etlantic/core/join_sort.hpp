#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

/// Which rows come out of a join without a match: none, those of the left side, of the right one, or of both.
enum class join_sort : std::uint8_t { inner, left_outer, right_outer, full_outer };

enum class join_side : std::uint8_t { of_left, of_right };

constexpr std::string_view name_of(join_sort sort) {
  constexpr std::string_view names[] = {"inner", "left", "right", "full"};
  return names[static_cast<int>(sort)];
}
/// Whether rows of the left side come out without a match, so that the right side of a result may be missing.
constexpr bool keeps_left(join_sort sort) { return sort == join_sort::left_outer || sort == join_sort::full_outer; }
constexpr bool keeps_right(join_sort sort) { return sort == join_sort::right_outer || sort == join_sort::full_outer; }

}  // namespace etlantic
