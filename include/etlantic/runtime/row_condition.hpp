#pragma once
#include <etlantic/core/integer128.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace etlantic {

enum class comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

/// An exact number, `units` / 10^`scale`; dates are days, times microseconds.
struct exact_number {
  int128 units = 0;
  int scale = 0;

  friend bool operator==(const exact_number&, const exact_number&) = default;
};

/// What a field, by its name in the data, has to be in rows that pass a filter: `field op value`. Null is nothing.
struct row_condition {
  std::string field;
  comparison op{};
  std::variant<exact_number, double, std::string> value;

  friend bool operator==(const row_condition&, const row_condition&) = default;
};

/// The conditions that all rows of an input of a step have to keep before anything else looks at them.
struct input_conditions {
  std::size_t input = 0;
  int readers = 0;  ///< streams that start at the input; with several no condition is one of all its rows
  std::vector<row_condition> all{};
};

/// What a source left out, because no row of it can keep the conditions; rows as far as it knows their number.
struct left_out_input {
  std::int64_t files = 0;
  std::int64_t rows = 0;
};

}  // namespace etlantic
