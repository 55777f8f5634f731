#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/core/integer128.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace etlantic::delta {

/// The statistics of a file as the log has them: rows, and of its first 32 leaf columns the nulls, the least and the
/// greatest value. Readers leave out files by them, so that they may be wider than the truth and never narrower: texts
/// are cut to 32 characters and the greatest ends in a character above all others; times are rounded to milliseconds,
/// the least down and the greatest up; a column with NaN or an infinity has no bounds.
std::string statistics_of(const schema& contract, std::span<const block> rows);

/// An end of a range of values: integers, times and scaled decimals; floating point; texts.
using range_end = std::variant<int128, double, std::string>;
struct value_range {
  range_end least;
  range_end greatest;

  bool overlaps(const value_range& other) const { return !(greatest < other.least) && !(other.greatest < least); }
};

/// The statistics of a file, to be looked into.
class file_statistics {
 public:
  explicit file_statistics(std::string_view text) : document_(text) { find_bounds(); }

  /// What they say about a column that is no struct; nothing if they say nothing that we understand.
  std::optional<value_range> range(const field_description& field) const;

 private:
  void find_bounds();

  json_document document_;
  json_token least_, greatest_;
};
std::optional<value_range> range_in_statistics(std::string_view statistics, const field_description& field);

/// Others may have written the bounds of such a column by way of a double, so that they can be narrower than the truth.
inline bool has_inexact_bounds(const field_description& column) {
  constexpr int digits_of_a_double = 15;
  return column.type == logical_type::decimal && column.precision > digits_of_a_double;
}

/// How many rows statistics say that a file has.
std::optional<std::int64_t> rows_in_statistics(std::string_view statistics);

/// The range of a column without nulls; nothing if it has no rows, or NaN.
std::optional<value_range> range_of(std::span<const block> rows, std::size_t index);

}  // namespace etlantic::delta
