#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/core/watermark_policy.hpp>
#include <etlantic/runtime/batch_record.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// The watermarks of a query: each that a step declares, and the one of the whole, which is the smallest of them or, by
/// policy, the greatest. All start at 0 and never move back; by the smallest, while one has had no data its 0 governs.
class watermark_clock {
 public:
  void set_policy(watermark_policy policy) { policy_ = policy; }
  watermark_policy policy() const { return policy_; }
  void add(std::string node, duration delay) { steps_.push_back({{std::move(node), {}, {}}, delay}); }

  /// Takes over what a commit recorded, by name. A step whose delay has changed follows its new delay from the next
  /// batch on, as far as that does not move it back.
  void restore(timestamp watermark, timestamp in_force, const std::vector<step_watermark>& steps) {
    watermark_ = watermark;
    in_force_ = in_force;
    for (const step_watermark& stored : steps)
      for (followed_step& step : steps_)
        if (step.mark.node == stored.node) step.mark = stored;
  }

  timestamp watermark() const { return watermark_; }
  /// In force when the last batch ran.
  timestamp in_force() const { return in_force_; }
  /// Whether the last batch moved the watermark, so that there may be something to publish that no batch has seen yet.
  bool has_moved() const { return watermark_ > in_force_; }

  std::vector<step_watermark> steps() const {
    std::vector<step_watermark> marks;
    for (const followed_step& step : steps_) marks.push_back(step.mark);
    return marks;
  }

  /// What a step saw in the batch; nothing if no row of it had an event time.
  void saw(const std::string& node, std::optional<timestamp> greatest) {
    if (!greatest) return;
    for (followed_step& step : steps_) {
      if (step.mark.node != node) continue;
      step.mark.greatest_event_time = std::max(step.mark.greatest_event_time.value_or(*greatest), *greatest);
      // Watermarks are never negative, and times near the end of the range must not wrap.
      if (greatest->microseconds > step.delay.count())
        step.mark.watermark = std::max(step.mark.watermark, floor_to_millisecond(*greatest - step.delay));
    }
  }

  /// Moves the watermark of the whole as far as those allow that are not idle.
  void let_go(const std::vector<std::string>& idle) {
    std::optional<timestamp> governing;
    for (const followed_step& step : steps_) {
      const timestamp mark = step.mark.watermark;
      if (policy_ == watermark_policy::max)
        governing = std::max(governing.value_or(mark), mark);
      else if (std::find(idle.begin(), idle.end(), step.mark.node) == idle.end())
        governing = std::min(governing.value_or(mark), mark);
    }
    if (governing) watermark_ = std::max(watermark_, *governing);
  }

  /// Ends the batch that ran under `in_force`: moves the watermark of the whole. It never falls behind what was in force,
  /// which an input may have moved while it was idle that has had rows since.
  void end_batch(timestamp in_force, const std::vector<std::string>& idle = {}) {
    in_force_ = in_force;
    watermark_ = std::max(watermark_, in_force);
    let_go(idle);
  }

 private:
  struct followed_step {
    step_watermark mark;
    duration delay;
  };

  watermark_policy policy_ = watermark_policy::min;
  std::vector<followed_step> steps_;
  timestamp watermark_;
  timestamp in_force_;
};

}  // namespace etlantic
