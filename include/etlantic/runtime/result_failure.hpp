#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

// Failures of computed values. They end the query: a wrong number must never be published.

namespace etlantic {

/// A row whose arithmetic gave a value outside its type.
failure arithmetic_overflow(std::string_view step, const block& rows, std::size_t row);

/// A value that does not fit the field of the output contract; `row` holds the group's key and window.
failure result_overflow(std::string_view step, const block& results, std::size_t row, std::size_t field);

/// The first result that breaks its contract's constraints, if there is one.
std::optional<failure> results_break_contract(std::string_view step, const block& results);

}  // namespace etlantic
