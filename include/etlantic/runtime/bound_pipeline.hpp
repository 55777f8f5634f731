#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/query_environment.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#include <etlantic/runtime/sink.hpp>
#include <etlantic/runtime/source.hpp>
#include <etlantic/runtime/stage.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace etlantic {

/// A program with what runs it. Every list goes by node index and is null where the node is of another kind.
struct bound_pipeline {
  program what;
  std::vector<std::shared_ptr<source>> sources;
  std::vector<std::vector<std::unique_ptr<row_decoder>>> decoders;  ///< of each extract one per worker
  std::vector<std::unique_ptr<stage>> stages;
  std::vector<std::shared_ptr<sink>> sinks;
  std::vector<std::optional<refresh_rule>> references;  ///< of the extracts that are looked up
};

/// Finds a source or sink for every asset, as the profile says, and makes decoders and stages. Opens nothing.
result<bound_pipeline> bind_pipeline(program what, const profile& where, const query_environment& environment);

/// In which mode each port of each node gives out its rows: that of the loads that it leads to. A step that keeps state
/// takes final rows, so that what leads to it appends.
result<std::vector<port_modes>> output_modes(const program& what);

}  // namespace etlantic
