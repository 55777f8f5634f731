#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/batch_state.hpp>

#include <optional>

namespace etlantic {

/// Brings stages, sources and watermarks to where the checkpoint says the query stopped; a fresh query to its
/// beginning. Gives the batch that must be replayed before any other, if there is one.
result<std::optional<plan_record>> restore_query(const batch_setting& query);

}  // namespace etlantic
