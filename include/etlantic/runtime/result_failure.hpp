#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/violation.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <string_view>

// Failures of computed values, where `on_overflow: fail` has them end the query. A wrong number is never published.

namespace etlantic {

/// A row with a value that cannot be computed, by `overflow_reason` or a `cast_reason`.
failure cannot_be_computed(std::string_view step, const block& rows, std::size_t row, std::string_view reason);

/// A value that does not fit the field of the output contract; `row` holds the group's key and window.
failure result_overflow(std::string_view step, const block& results, std::size_t row, std::size_t field);

/// A result that breaks its contract; `first` is the first field in question.
failure result_breaks_contract(std::string_view step, const block& results, std::size_t row, const violation& first);

}  // namespace etlantic
