#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/core/watermark_policy.hpp>
#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/split_watermarks.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// Which split holds a watermark back.
struct slowest_split {
  std::string watermark;  ///< by name
  split_name of;
  timestamp reached;
};

/// The watermarks of a query: each that a step declares, and the one of the whole, which is the smallest of them or, by
/// policy, the greatest. All start at 0 and never move back; by the smallest, while one has had no data its 0 governs.
class watermark_clock {
 public:
  void set_policy(watermark_policy policy) { policy_ = policy; }
  watermark_policy policy() const { return policy_; }
  /// `origins`: the extracts that it follows, if it follows them split by split.
  void add(std::string node, duration delay, std::vector<std::string> origins = {}) {
    steps_.push_back({{std::move(node), {}, {}}, delay, std::move(origins), {}});
  }

  /// Takes over what a commit recorded, by name. A step whose delay has changed follows its new delay from the next
  /// batch on, as far as that does not move it back.
  void restore(timestamp watermark, timestamp in_force, const std::vector<step_watermark>& steps) {
    watermark_ = watermark;
    in_force_ = in_force;
    for (const step_watermark& stored : steps)
      for (followed_step& step : steps_)
        if (step.mark.node == stored.node) step.restore(stored);
    let_go({});  // one that is not followed split by split any more may be ahead of what was recorded
  }

  timestamp watermark() const { return watermark_; }
  /// In force when the last batch ran.
  timestamp in_force() const { return in_force_; }
  /// Whether the last batch moved the watermark, so that there may be something to publish that no batch has seen yet.
  bool has_moved() const { return watermark_ > in_force_; }

  std::vector<step_watermark> steps() const {
    std::vector<step_watermark> marks;
    for (const followed_step& step : steps_) marks.push_back(step.stored());
    return marks;
  }

  /// The splits that watermarks are followed by, in order.
  std::vector<split_name> splits() const {
    std::vector<split_name> names;
    for (const followed_step& step : steps_)
      for (const split_watermark& each : step.splits.stored()) names.push_back(each.of);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

  /// Of each watermark that a split holds back, which one does.
  std::vector<slowest_split> slowest_splits() const {
    std::vector<slowest_split> found;
    for (const followed_step& step : steps_)
      if (const auto slowest = step.splits.slowest())
        found.push_back({step.mark.node, slowest->of, slowest->watermark});
    return found;
  }

  /// Before the first row of a batch.
  void begin_batch(const split_batch& planned) {
    for (followed_step& step : steps_)
      if (step.by_split()) step.mark.watermark = step.splits.begin_batch(step.mark.watermark, step.part_of(planned));
  }

  /// What a step saw in the batch, of all or of a split; nothing if no row of it had an event time.
  void saw(const std::string& node, std::optional<timestamp> greatest) { saw(node, {}, greatest); }
  void saw(const std::string& node, const split_name& split, std::optional<timestamp> greatest) {
    if (!greatest) return;
    for (followed_step& step : steps_) {
      if (step.mark.node != node) continue;
      step.mark.greatest_event_time = std::max(step.mark.greatest_event_time.value_or(*greatest), *greatest);
      // Watermarks are never negative, and times near the end of the range must not wrap.
      if (greatest->microseconds <= step.delay.count()) continue;
      const timestamp reached = floor_to_millisecond(*greatest - step.delay);
      if (step.by_split())
        step.splits.saw(split, reached);
      else
        step.mark.watermark = std::max(step.mark.watermark, reached);
    }
  }

  /// Moves the watermark of the whole as far as those allow that are not idle; when all are, they all count, and it
  /// only moves if splits have let one of them go.
  void let_go(const std::vector<std::string>& idle) {
    std::optional<timestamp> governing;
    std::optional<timestamp> least;
    for (const followed_step& step : steps_) {
      const timestamp mark = step.mark.watermark;
      least = std::min(least.value_or(mark), mark);
      if (policy_ == watermark_policy::max)
        governing = std::max(governing.value_or(mark), mark);
      else if (std::find(idle.begin(), idle.end(), step.mark.node) == idle.end())
        governing = std::min(governing.value_or(mark), mark);
    }
    if (!governing) governing = least;
    if (governing) watermark_ = std::max(watermark_, *governing);
  }

  /// Ends the batch that ran under `in_force`: moves the watermark of the whole. It never falls behind what was in
  /// force, which an input may have moved while it was idle that has had rows since.
  void end_batch(timestamp in_force, const std::vector<std::string>& idle = {}) {
    in_force_ = in_force;
    watermark_ = std::max(watermark_, in_force);
    for (followed_step& step : steps_)
      if (step.by_split()) step.mark.watermark = step.splits.end_batch(step.mark.watermark);
    let_go(idle);
  }

 private:
  struct followed_step {
    step_watermark mark;
    duration delay;
    std::vector<std::string> origins;  // of those followed split by split
    split_watermarks splits;

    bool by_split() const { return !origins.empty(); }
    bool follows(const std::string& extract) const {
      return std::find(origins.begin(), origins.end(), extract) != origins.end();
    }
    std::vector<split_name> part_of(const std::vector<split_name>& splits_of_all) const {
      std::vector<split_name> own;
      for (const split_name& each : splits_of_all)
        if (follows(each.node)) own.push_back(each);
      return own;
    }
    split_batch part_of(const split_batch& planned) const {
      return {part_of(planned.read), part_of(planned.idle), part_of(planned.finished)};
    }

    void restore(const step_watermark& stored) {
      mark = {stored.node, stored.greatest_event_time, stored.watermark};
      splits.restore(stored.reached.value_or(timestamp{}), stored.splits);
    }
    step_watermark stored() const {
      step_watermark made = mark;
      if (!by_split()) return made;
      made.reached = splits.reached();
      made.splits = splits.stored();
      return made;
    }
  };

  watermark_policy policy_ = watermark_policy::min;
  std::vector<followed_step> steps_;
  timestamp watermark_;
  timestamp in_force_;
};

}  // namespace etlantic
