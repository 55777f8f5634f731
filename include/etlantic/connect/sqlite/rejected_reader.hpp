#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/quarantined_row.hpp>

namespace etlantic {

/// Reads back the rejected rows that a load has published into a table, in the order in which they came. Opens the
/// database for reading only, also while a query writes to it.
result<void> read_rejected_table(const asset_binding& binding, const program_node& load,
                                 const quarantine_visitor& visit);

}  // namespace etlantic
