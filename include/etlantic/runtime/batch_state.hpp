#pragma once
#include <etlantic/runtime/bound_pipeline.hpp>
#include <etlantic/runtime/checkpoint.hpp>
#include <etlantic/runtime/followed_splits.hpp>
#include <etlantic/runtime/input_activity.hpp>
#include <etlantic/runtime/missed_windows.hpp>
#include <etlantic/runtime/quality_judge.hpp>
#include <etlantic/runtime/read_positions.hpp>
#include <etlantic/runtime/references.hpp>
#include <etlantic/runtime/split_activity.hpp>
#include <etlantic/runtime/watermark_clock.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace etlantic {

/// What a query carries from batch to batch besides the state of its stages.
struct batch_state {
  std::string query;
  std::int64_t next_batch = 0;
  watermark_clock clock;
  input_activity activity;
  followed_splits followed;
  split_activity splits;
  std::vector<std::string> idle;             ///< watermarks that held nobody back in the last batch
  std::vector<split_name> idle_splits;       ///< splits that did
  std::vector<read_positions> positions;     ///< by node index
  std::vector<reference_in_use> references;  ///< by node index
  missed_windows to_correct;                 ///< of a correction run
  bool corrects = false;                     ///< whether this is one
  quality_judge quality;
};

/// A query's parts as its planner, runner and recovery share them.
struct batch_setting {
  bound_pipeline& pipeline;
  checkpoint* kept;  ///< null: nothing is kept
  batch_state& state;
  const profile& where;
  const std::function<timestamp()>& now;
  const std::function<bool()>& abandons;  ///< asked between two parts of a batch: leave it to the next start
};

}  // namespace etlantic
