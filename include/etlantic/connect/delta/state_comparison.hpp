#pragma once
#include <etlantic/connect/delta/table_state.hpp>

#include <string>
#include <vector>

namespace etlantic::delta {

/// In what the state of a checkpoint differs from that of the commits up to it, one sentence each; the first few of
/// many. A checkpoint may have forgotten files that were removed long ago.
std::vector<std::string> state_differences(const table_state& checkpoint, const table_state& replayed);

}  // namespace etlantic::delta
