#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/batch_state.hpp>

#include <optional>

namespace etlantic {

/// Asks the sources what waits and makes the next batch of it: one with data, or one without to publish what the
/// watermark closed, or none. Does not write it down yet.
result<std::optional<plan_record>> plan_batch(const batch_setting& query);

}  // namespace etlantic
