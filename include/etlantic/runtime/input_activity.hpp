#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/event_times.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// When the inputs that may fall idle had rows last, by the times at which batches were planned, and which watermarks
/// nobody has to wait for any more: those that follow such inputs only, all of them silent for as long as they may be.
class input_activity {
 public:
  void watch(const program& what, const profile& where) {
    inputs_.clear();
    followers_.clear();
    for (const program_node& node : what.nodes) {
      if (node.kind != node_kind::extract) continue;
      const auto bound = where.assets.find(node.asset);
      if (bound != where.assets.end() && bound->second.idle_after != duration::zero())
        inputs_.push_back({node.name, bound->second.idle_after, {}});
    }
    for (const program_node& step : what.nodes)
      for (const followed_watermark& each : step.watermarks) add_follower(what, step, each);
  }

  void restore(const std::vector<extract_activity>& stored) {
    for (const extract_activity& each : stored) had_rows(each.node, each.last_rows_at);
  }
  std::vector<extract_activity> stored() const {
    std::vector<extract_activity> made;
    for (const watched_input& each : inputs_)
      if (each.last_rows_at) made.push_back({each.node, *each.last_rows_at});
    return made;
  }

  void had_rows(const std::string& node, timestamp at) {
    for (watched_input& each : inputs_)
      if (each.node == node) each.last_rows_at = std::max(each.last_rows_at.value_or(at), at);
  }

  /// The watermarks that hold nobody back at that time. For an input that never had rows the silence begins with the
  /// first call.
  std::vector<std::string> idle_watermarks(timestamp now) {
    for (watched_input& each : inputs_)
      if (!each.last_rows_at) each.last_rows_at = now;
    std::vector<std::string> idle;
    for (const follower& each : followers_)
      if (std::all_of(each.inputs.begin(), each.inputs.end(), [&](std::size_t input) {
            return now - *inputs_[input].last_rows_at >= inputs_[input].idle_after;
          }))
        idle.push_back(each.watermark);
    return idle;
  }

 private:
  struct watched_input {
    std::string node;
    duration idle_after;
    std::optional<timestamp> last_rows_at;
  };
  struct follower {
    std::string watermark;
    std::vector<std::size_t> inputs;
  };

  /// A watermark with an input that is always waited for never falls idle.
  void add_follower(const program& what, const program_node& step, const followed_watermark& of) {
    follower made{of.name, {}};
    for (const std::size_t origin : origins_of(what, step, of)) {
      const auto found = std::find_if(inputs_.begin(), inputs_.end(),
                                      [&](const watched_input& each) { return each.node == what.nodes[origin].name; });
      if (found == inputs_.end()) return;
      made.inputs.push_back(static_cast<std::size_t>(found - inputs_.begin()));
    }
    if (!made.inputs.empty()) followers_.push_back(std::move(made));
  }

  std::vector<watched_input> inputs_;
  std::vector<follower> followers_;
};

}  // namespace etlantic
