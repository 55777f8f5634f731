#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/program.hpp>

namespace etlantic {

/// The command line of a pipeline binary: `run`, `validate`, `plan`, `--help`, `--version`. Returns an exit code of
/// docs/exit-codes.md.
int main_of(result<program> what, int argc, char** argv);

}  // namespace etlantic
