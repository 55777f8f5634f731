#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

/// What comes out of a join: pairs of rows that match, and besides them the rows of no side, of one or of both that
/// have no match; or rows of the left side alone, those that have a match (semi) or those that have none (anti).
enum class join_sort : std::uint8_t { inner, left_outer, right_outer, full_outer, left_semi, left_anti };

enum class join_side : std::uint8_t { of_left, of_right };

constexpr std::string_view name_of(join_sort sort) {
  constexpr std::string_view names[] = {"inner", "left", "right", "full", "semi", "anti"};
  return names[static_cast<int>(sort)];
}
/// Whether rows of the left side come out without a match, so that the right side of a result may be missing.
constexpr bool keeps_left(join_sort sort) {
  return sort == join_sort::left_outer || sort == join_sort::full_outer || sort == join_sort::left_anti;
}
constexpr bool keeps_right(join_sort sort) { return sort == join_sort::right_outer || sort == join_sort::full_outer; }

/// Whether results are rows of the left side, each of them once.
constexpr bool gives_left_rows(join_sort sort) { return sort == join_sort::left_semi || sort == join_sort::left_anti; }

}  // namespace etlantic
