#pragma once
#include <etlantic/column/block.hpp>

#include <cstddef>

namespace etlantic {

/// The order of two values of one type: below zero if the left one comes first, zero if nothing tells them apart.
/// Numbers and times by value, text by its bytes, false before true, enumerators as they are declared, structs and
/// lists by what they hold, one after the other. NaN comes behind all numbers and null behind everything.
int compare_values(const column& left, std::size_t left_row, const column& right, std::size_t right_row);

/// The order of two rows by their first columns, one after the other.
int compare_rows(const block& left, std::size_t left_row, const block& right, std::size_t right_row,
                 std::size_t columns);

}  // namespace etlantic
