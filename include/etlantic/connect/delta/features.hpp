#pragma once
#include <etlantic/connect/delta/check_constraint.hpp>
#include <etlantic/connect/delta/table_state.hpp>
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace etlantic::delta {

/// Refuses a table that asks its readers for something that we do not have, by the name of that feature.
result<void> check_readable(const table_state& table, const std::string& where);

/// What a writer is about to do to a table.
enum class write_intent : std::uint8_t {
  add_rows,
  change_rows,  ///< also changes or removes rows that are there
  move_rows,    ///< the same rows into other files, or unused files away
};

/// Refuses a table that asks its writers for something that we do not have. Features that a table allows and does not
/// use are no hindrance. A CHECK constraint is one, unless its expression is among those that every row is known to
/// meet.
result<void> check_writable(const table_state& table, write_intent intent, const std::string& where,
                            std::span<const check_constraint> met = {});

}  // namespace etlantic::delta
