#pragma once
#include <etlantic/runtime/batch_state.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// The splits of an extract that have been read and may have more rows, as watermarks count them.
inline std::vector<split_name> open_splits(const batch_setting& query, std::size_t extract) {
  const std::string& node = query.pipeline.what.nodes[extract].name;
  std::vector<std::string> read;
  for (const split_range& each : query.state.positions[extract].ranges()) read.push_back(each.split);
  std::sort(read.begin(), read.end());
  std::vector<std::string> finished;
  if (query.state.followed.follows_splits_of(node)) finished = query.pipeline.sources[extract]->finished(read);
  std::sort(finished.begin(), finished.end());
  std::vector<split_name> open;
  for (const std::string& each : read)
    if (!std::binary_search(finished.begin(), finished.end(), each))
      open.push_back(*query.state.followed.name_of(node, each));
  open.erase(std::unique(open.begin(), open.end()), open.end());
  return open;
}

/// Brings a stored watermark into the form that the present profile asks for. One that was not followed split by split,
/// and is now, is the watermark of all splits that have been read; the other way round it is where the fastest was.
inline void follow_profile(const batch_setting& query, step_watermark& stored) {
  const followed_splits& followed = query.state.followed;
  const std::vector<std::string> origins = followed.origins_of(stored.node);
  const bool was_followed = stored.reached.has_value();
  timestamp reached = stored.reached.value_or(timestamp{});
  std::vector<std::string> changed;
  std::vector<split_watermark> kept;
  for (split_watermark& each : stored.splits) {
    const bool counts = std::find(origins.begin(), origins.end(), each.of.node) != origins.end() &&
                        each.of.split.empty() != followed.follows_splits_of(each.of.node);
    if (!counts) {
      reached = std::max(reached, each.watermark);
      changed.push_back(each.of.node);
    } else
      kept.push_back(std::move(each));
  }
  stored.splits = std::move(kept);
  if (origins.empty()) {
    stored.watermark = std::max(stored.watermark, reached);
    stored.reached.reset();
    return;
  }
  stored.reached = reached;
  for (std::size_t i = 0; i < query.pipeline.what.nodes.size(); ++i) {
    const program_node& node = query.pipeline.what.nodes[i];
    if (node.kind != node_kind::extract || std::find(origins.begin(), origins.end(), node.name) == origins.end())
      continue;
    if (was_followed && std::find(changed.begin(), changed.end(), node.name) == changed.end()) continue;
    for (split_name& each : open_splits(query, i)) stored.splits.push_back({std::move(each), stored.watermark});
  }
}

}  // namespace etlantic::detail
