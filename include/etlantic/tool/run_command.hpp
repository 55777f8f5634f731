#pragma once
#include <etlantic/tool/command_line.hpp>
#include <etlantic/tool/console.hpp>
#include <etlantic/tool/exit_code.hpp>
#include <etlantic/tool/profile_file.hpp>
#include <etlantic/tool/running.hpp>

namespace etlantic {

/// Runs a pipeline on a profile that was found valid, until it ends, time is over or a signal comes; shows progress on
/// the way and a summary at the end.
exit_code run_pipeline(const program& what, const profile_reading& reading, const command_line& asked,
                       const console& to, const query_starter& start);

}  // namespace etlantic
