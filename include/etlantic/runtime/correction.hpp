#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/progress.hpp>

#include <cstdint>

namespace etlantic {

/// What a correction run did.
struct correction {
  std::int64_t windows = 0;  ///< computed again; 0: late rows have missed none since the last correction
  progress done;             ///< what it read and published
};

/// Computes the windows again that late rows have missed (behind `correct_late()`), from the whole input as it is now,
/// and replaces their results in the targets. Needs the checkpoint of the query, which may go on running: a window that
/// late rows miss is closed, so that the query does not publish it any more. Stopped anywhere it is simply done again.
/// Reads all of the input, in one batch; memory holds the windows that are corrected.
result<correction> correct_program(program what, profile where);

}  // namespace etlantic
