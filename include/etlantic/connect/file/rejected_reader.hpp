#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/quarantined_row.hpp>

namespace etlantic {

/// Reads back the rejected rows that a load has published as NDJSON or CSV files, batch by batch.
result<void> read_rejected_files(const asset_binding& binding, const program_node& load,
                                 const quarantine_visitor& visit);

}  // namespace etlantic
