#pragma once
#include <etlantic/core/result.hpp>

namespace etlantic {

/// What a pipeline binary answers to its shell. Documented in docs/exit-codes.md and in `--help`.
enum class exit_code : int {
  ok = 0,
  internal = 1,
  usage = 2,
  definition = 3,
  source = 4,
  sink = 5,
  checkpoint = 6,
  exhausted = 7,
  connection = 8,
};

constexpr exit_code exit_code_of(failure_class kind) {
  switch (kind) {
    case failure_class::connectivity:
    case failure_class::authentication: return exit_code::connection;
    case failure_class::source_data: return exit_code::source;
    case failure_class::contract:
    case failure_class::configuration: return exit_code::definition;
    case failure_class::state:
    case failure_class::checkpoint: return exit_code::checkpoint;
    case failure_class::sink_conflict:
    case failure_class::sink_rejected: return exit_code::sink;
    case failure_class::resource_exhausted: return exit_code::exhausted;
    case failure_class::internal: return exit_code::internal;
  }
  return exit_code::internal;
}

/// One line of help for each code, in order.
inline constexpr std::string_view exit_code_meanings[] = {
    "done, and every row is accounted for",
    "internal error, or the counts do not add up",
    "the command line is wrong",
    "the pipeline or its profile is wrong",
    "an input cannot be read",
    "an output refused the rows, does not fit the contract, or has lost published rows",
    "the checkpoint or the state in it cannot be used",
    "out of disk space or memory",
    "no connection, or not allowed in",
};

}  // namespace etlantic
