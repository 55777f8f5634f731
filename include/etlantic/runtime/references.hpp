#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/reference_version.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace etlantic {

struct plan_record;
struct batch_setting;
class batch_router;
struct progress;

/// What a query knows of one of its references from batch to batch.
struct reference_in_use {
  std::optional<reference_version> version;  ///< of the last batch
  std::string seen;                          ///< the source's own name of what it had when it was read here
  bool settled = false;                      ///< nothing else can have this name
  std::optional<state_writer> content;       ///< of the version, until the stages have it
  std::int64_t loaded = -1;                  ///< the version that the stages have
};

/// Decides for each reference which version a batch uses, reads those that are due and have changed, and makes them
/// durable before the plan names them.
result<void> plan_references(const batch_setting& query, plan_record& plan);

/// Hands the versions that a batch names to the stages that look rows up in them, if they have other ones. Invalid rows
/// of a version come out in its first batch.
result<void> load_references(const batch_setting& query, const plan_record& plan, batch_router& router, progress& done);

}  // namespace etlantic
