#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/program.hpp>

#include <vector>

// What the program of a pipeline case does: runs every folder that it is given and prints a line for each.

namespace pipeline_runner {

/// The case's pipeline with the durations of a case.
using maker = etlantic::program (*)(const std::vector<etlantic::duration>& durations);

/// Arguments: a folder and its durations in microseconds with commas between them, as often as there are folders.
/// `before` is the pipeline up to the restart that changes it, in most cases the same as `after`.
int main(int argument_count, char** arguments, maker before, maker after);

}  // namespace pipeline_runner
