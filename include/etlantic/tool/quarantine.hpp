#pragma once
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/quarantined_row.hpp>
#include <etlantic/tool/console.hpp>
#include <etlantic/tool/exit_code.hpp>
#include <etlantic/tool/quarantine_request.hpp>

#include <span>
#include <string>

namespace etlantic {

/// What a row is called on the command line: the same for the same place of the same extract or step.
std::string id_of(const program_node& load, const quarantined_row& row);

/// Lists, shows, counts or redrives the rejected rows that the loads of a pipeline have published.
exit_code run_quarantine(const program& what, const profile& where, const quarantine_request& asked, bool as_json,
                         std::span<const connector> connectors, const console& to);

/// Lets the sources of a run read what was redriven.
void read_redriven_rows(const program& what, profile& where);

}  // namespace etlantic
