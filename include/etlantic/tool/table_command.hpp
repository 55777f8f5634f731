#pragma once
#include <etlantic/tool/console.hpp>
#include <etlantic/tool/exit_code.hpp>
#include <etlantic/tool/table_request.hpp>

namespace etlantic {

/// `table show | history | files | vacuum | optimize | verify` on the folder of a Delta table. A program that was built
/// without Delta tables says so.
exit_code run_table_command(const table_request& asked, bool json, const console& to);

}  // namespace etlantic
