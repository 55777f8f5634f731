#pragma once
#include <etlantic/connect/delta/table_state.hpp>
#include <etlantic/core/result.hpp>

#include <string>

namespace etlantic::delta {

/// Refuses a table that asks its readers for something that we do not have, by the name of that feature.
result<void> check_readable(const table_state& table, const std::string& where);

/// Refuses a table that asks its writers for something that we do not have. Features that a table allows and does not
/// use are no hindrance. `removes_rows`: also changes or removes rows that are there.
result<void> check_writable(const table_state& table, bool removes_rows, const std::string& where);

}  // namespace etlantic::delta
