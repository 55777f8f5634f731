#pragma once
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/correction.hpp>
#include <etlantic/tool/console.hpp>
#include <etlantic/tool/exit_code.hpp>
#include <etlantic/tool/running.hpp>

#include <span>

namespace etlantic {

/// What the command line works with; main_of fills in the process's own.
struct tool_environment {
  console to;
  std::span<const connector> connectors;
  query_starter start;
  result<correction> (*correct)(program, profile) = correct_program;
};

/// Reads the command line and does what it says.
exit_code run_tool(const program& what, int argc, const char* const* argv, const tool_environment& environment);

}  // namespace etlantic
