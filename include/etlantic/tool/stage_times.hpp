#pragma once
#include <etlantic/tool/progress_record.hpp>

#include <string>

namespace etlantic {

/// Where the time of a run went, as a table: seconds, nanoseconds per row read, and share of each stage.
std::string stage_times_text(const run_summary& run);

}  // namespace etlantic
