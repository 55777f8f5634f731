#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/stop_policy.hpp>

#include <optional>
#include <string>

namespace etlantic {

/// Tells the query of a checkpoint, which runs in another process, to stop, and waits until it has let go of the lock.
/// Gives the sentence that says what came of it. Without a policy it stops as its profile says.
result<std::string> stop_query(const std::string& checkpoint, std::optional<stop_policy> how, duration at_most);

}  // namespace etlantic
