#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/core/result.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace etlantic::delta {

/// Whether a table can be partitioned by a column of this type.
bool can_partition(const field_description& field);

/// A value as the log has partition values: numbers by their digits, dates as `2026-01-31`, times in UTC with a `Z`;
/// nothing for null. The empty text means null in a log, so that it cannot be said: `is_sayable` is false of it.
std::optional<std::string> partition_text(const column& of, std::size_t row);
bool is_sayable(const std::optional<std::string>& value);

/// What a log has for a partition column of a file: by its name in the files, which may be another one than that of the
/// column, or as the table names it.
std::optional<std::string> partition_value(const partition_values& values, const field_description& field,
                                           const std::string& name);

/// Sets all rows of a column to the value that a text of a log means.
result<void> fill_partition(column& to, const std::optional<std::string>& value, const std::string& where);

/// A path of a log with its URI escapes resolved, once; and a path as a log has it.
std::string decoded_path(std::string_view path);
std::string encoded_path(std::string_view path);

}  // namespace etlantic::delta
