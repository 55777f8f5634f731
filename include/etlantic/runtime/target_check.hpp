#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_state.hpp>

namespace etlantic {

/// Whether the targets of a restored query stand where its checkpoint stands. A target that was lost or restored from
/// an older copy lacks batches that nobody would publish again; a checkpoint that was restored from an older copy would
/// plan batches anew that the target skips as published. Asks the ledgers of the sinks before they are opened, and
/// changes nothing. `pending`: so many batches behind the newest commit are planned, and may be published already.
result<void> verify_targets(const batch_setting& query, std::size_t pending);

}  // namespace etlantic
